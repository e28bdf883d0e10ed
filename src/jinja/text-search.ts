/**
 * Needles for which the engine's own search may take quadratic time: forwards it skips by the last 250 characters only,
 * backwards it compares at every position.
 */
const LONG_NEEDLE = 250;
const LONG_NEEDLE_BACKWARDS = 16;

/** As `indexOf`, in linear time for every needle. */
export function findText(text: string, needle: string, from = 0): number {
  return needle.length <= LONG_NEEDLE ? text.indexOf(needle, from) : scan(text, needle, from, 1);
}

/** As `lastIndexOf`, in linear time for every needle. */
export function findLastText(text: string, needle: string): number {
  if (needle.length <= LONG_NEEDLE_BACKWARDS) return text.lastIndexOf(needle);
  return scan(text, needle, text.length - 1, -1);
}

/** The algorithm of Knuth, Morris and Pratt; backwards it reads both texts from their ends. */
function scan(text: string, needle: string, from: number, direction: 1 | -1): number {
  const size = needle.length;
  const unit = (at: number): number => needle.charCodeAt(direction === 1 ? at : size - 1 - at);
  const borders = new Int32Array(size);
  const advance = (matched: number, code: number): number => {
    let length = matched;
    while (length > 0 && code !== unit(length)) length = borders[length - 1]!;
    return code === unit(length) ? length + 1 : length;
  };
  for (let at = 1; at < size; at++) borders[at] = advance(borders[at - 1]!, unit(at));
  let matched = 0;
  for (let at = from; at >= 0 && at < text.length; at += direction) {
    matched = advance(matched, text.charCodeAt(at));
    if (matched === size) return direction === 1 ? at - size + 1 : at;
  }
  return -1;
}
