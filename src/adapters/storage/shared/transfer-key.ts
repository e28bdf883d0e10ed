/**
 * Keys of transferred records: the identifying texts of a thing in a row. The separator between them is smaller than any
 * character that they may hold, so that keys in byte order are in order of the first text, then the second, and so on.
 */
const SEPARATOR = '\u0000';

/** Digits of a place among things that share everything else of their key; fixed, so that places sort as numbers. */
const PLACE_DIGITS = 8;

export function transferKey(...parts: readonly string[]): string {
  return parts.join(SEPARATOR);
}

/** The texts of a key; missing ones are empty. */
export function keyParts(key: string): readonly [string, string, string, string] {
  const [first = '', second = '', third = '', fourth = ''] = key.split(SEPARATOR);
  return [first, second, third, fourth];
}

export function placeText(place: number): string {
  return String(place).padStart(PLACE_DIGITS, '0');
}
