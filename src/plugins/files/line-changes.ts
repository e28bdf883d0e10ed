/** Lines of a text beside those of another one, wherever in it they stand. */
export interface LineChanges {
  readonly added: number;
  readonly removed: number;
  readonly kept: number;
}

/** In characters, of each of the two texts. */
export const MOST_COMPARED = 32 * 1024 * 1024;

/** How many lines of `before`, a whole text, the pieces of the other one still have. `undefined` when those are too many to look at. */
export async function lineChanges(before: string, after: AsyncIterable<Uint8Array>): Promise<LineChanges | undefined> {
  const left = new Map<string, number>();
  let removed = 0;
  for (const line of linesOf(before)) {
    left.set(line, (left.get(line) ?? 0) + 1);
    removed++;
  }
  let [added, kept, length] = [0, 0, 0];
  const take = (line: string): void => {
    const same = left.get(line) ?? 0;
    if (same === 0) {
      added++;
      return;
    }
    left.set(line, same - 1);
    removed--;
    kept++;
  };
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of after) {
    length += piece.length;
    if (length > MOST_COMPARED) return undefined;
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  }
  rest += decoder.decode();
  if (rest !== '') take(rest);
  return { added, removed, kept };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
