/** Two letters whose lower case is one of ASCII or of two signs: they stay, so that a text is found by what it holds. */
const OTHERS = /[\u0130\u212a]/;

/** A text in which case does not count. A letter of ASCII comes of that letter alone. */
export function foldedText(text: string): string {
  if (!OTHERS.test(text)) return text.toLowerCase();
  return text.replaceAll(/[^\u0130\u212a]+/g, (part) => part.toLowerCase());
}

const ASCII = /^[\0-\x7f]*$/;

/** Makes letters comparable with those of a text; composes them only if it is not plain ASCII, which costs time. */
export function composed(wanted: string): (text: string) => string {
  return ASCII.test(wanted) ? (text) => text : (text) => text.normalize('NFC');
}

/** `foldedText` for texts that are compared with this one. */
export function foldedLike(wanted: string): (text: string) => string {
  if (ASCII.test(wanted)) return foldedText;
  return (text) => foldedText(text.normalize('NFC'));
}
