/** Two letters whose lower case is one of ASCII or of two signs: they stay, so that a text is found by what it holds. */
const OTHERS = /[\u0130\u212a]/;

/** A text in which case does not count. A letter of ASCII comes of that letter alone. */
export function foldedText(text: string): string {
  if (!OTHERS.test(text)) return text.toLowerCase();
  return text.replaceAll(/[^\u0130\u212a]+/g, (part) => part.toLowerCase());
}
