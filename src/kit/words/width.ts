/** Made at its first use: it takes 10 ms, and most texts do not need it. */
let segmenter: Intl.Segmenter | undefined;
const PLAIN = /^[\u0020-\u007e]*$/;

/** Columns that a printable text takes on a terminal. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += graphemeWidth(segment);
  return width;
}

/** Returns the text cut to a number of columns, with an ellipsis if something was cut off. */
export function truncated(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  if (columns <= 1) return '…'.slice(0, columns);
  if (PLAIN.test(text)) return `${text.slice(0, columns - 1)}…`;
  let width = 0;
  let result = '';
  for (const { segment } of graphemes(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    result += segment;
  }
  return `${result}…`;
}

function graphemeWidth(grapheme: string): number {
  const wide =
    /^(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u;
  if (wide.test(grapheme)) return 2;
  return /^\p{Mark}+$/u.test(grapheme) ? 0 : 1;
}

function graphemes(text: string): Iterable<{ readonly segment: string }> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
