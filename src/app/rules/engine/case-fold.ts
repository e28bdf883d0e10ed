/**
 * Text brought to one case. Lower case first, then upper: upper case alone keeps the Kelvin sign apart from `k`, lower case
 * alone `ß` from `SS` and makes a sigma's form depend on its place, so that a part of a word would not be found in it.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}

export type TextTest = (text: string) => boolean;

/** Needles of plain letters are compared without making a new text for each value: most values differ at once. */
export function equalsFolded(needle: string): TextTest {
  const folded = foldCase(needle);
  if (!isAscii(folded)) return (text) => foldCase(text) === folded;
  const codes = charCodes(folded);
  const { length } = codes;
  return (text) => {
    if (text.length !== length) return text.length < length && !isAscii(text) && foldCase(text) === folded;
    const same = comparePrefix(text, codes);
    return same === undefined ? foldCase(text) === folded : same;
  };
}

export function startsFolded(needle: string): TextTest {
  const folded = foldCase(needle);
  if (!isAscii(folded)) return (text) => foldCase(text).startsWith(folded);
  const codes = charCodes(folded);
  return (text) => {
    const same = comparePrefix(text, codes);
    return same === undefined ? foldCase(text).startsWith(folded) : same;
  };
}

export function endsFolded(needle: string): TextTest {
  const folded = foldCase(needle);
  if (!isAscii(folded)) return (text) => foldCase(text).endsWith(folded);
  const codes = charCodes(folded);
  return (text) => {
    const same = compareSuffix(text, codes);
    return same === undefined ? foldCase(text).endsWith(folded) : same;
  };
}

export function includesFolded(needle: string): TextTest {
  const folded = foldCase(needle);
  if (folded === '') return () => true;
  if (!isAscii(folded)) return (text) => foldCase(text).includes(folded);
  const lower = folded.toLowerCase();
  return (text) => {
    if (text.includes(lower)) return true;
    const lowerText = text.toLowerCase();
    if (lowerText !== text && lowerText.includes(lower)) return true;
    return !isAscii(text) && foldCase(text).includes(folded);
  };
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

function charCodes(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function upperCode(code: number): number {
  return code >= 0x61 && code <= 0x7a ? code - 0x20 : code;
}

/** Whether the text begins with these upper-case codes; `undefined` when it takes Unicode to tell. */
function comparePrefix(text: string, codes: Uint8Array): boolean | undefined {
  for (let index = 0; index < codes.length; index++) {
    if (index >= text.length) return false;
    const code = text.charCodeAt(index);
    if (code > 0x7f) return undefined;
    if (upperCode(code) !== codes[index]) return false;
  }
  return true;
}

function compareSuffix(text: string, codes: Uint8Array): boolean | undefined {
  const shift = text.length - codes.length;
  for (let index = codes.length - 1; index >= 0; index--) {
    if (index + shift < 0) return false;
    const code = text.charCodeAt(index + shift);
    if (code > 0x7f) return undefined;
    if (upperCode(code) !== codes[index]) return false;
  }
  return true;
}
