interface WellFormedText {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

/**
 * False for text with half a surrogate pair: it has no UTF-8 form, so no store could give it back. Node 20 has the
 * method, the ES2023 library of the compiler does not know it yet.
 */
export function isValidUnicode(text: string): boolean {
  return (text as unknown as WellFormedText).isWellFormed();
}

/** The text with a replacement character for each half of a surrogate pair: what every store can give back. */
export function validUnicode(text: string): string {
  return (text as unknown as WellFormedText).toWellFormed();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: as ranges; the class \p{Cc} takes a millisecond of each start
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/;

export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}
