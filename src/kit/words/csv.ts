/**
 * Spreadsheets treat text that begins with these characters, also in their full-width forms, as a formula, and run it: at the
 * beginning of a cell, after characters that they skip, and after a semicolon or tab, which is a separator in some languages.
 * Numbers are exempt.
 */
const FORMULA = /(^|[;\t\r\n])((?:(?![;\t\r\n])[\s\p{Cc}\p{Cf}])*[=+\-@＝＋－＠])/gu;
const UNSEEN = /^[\p{Cc}\ufeff]/u;
const NUMBER = /^[+-]?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?$/i;

/** A line of a CSV file as spreadsheets and RFC 4180 want it. What would be a formula gets an apostrophe in front, which makes it a text. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const plain = NUMBER.test(text) ? text : text.replaceAll(FORMULA, "$1'$2");
  const harmless = UNSEEN.test(plain) ? `'${plain}` : plain;
  return /["\r\n,;\t]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
