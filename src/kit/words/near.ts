import { distance } from 'fastest-levenshtein';

const SHORTEST = 4;
const SHORT = 8;

/** One or two letters were typed wrongly, or changed places: of short names, one. */
export function isNearly(name: string, known: string): boolean {
  const shorter = Math.min(name.length, known.length);
  return shorter >= SHORTEST && distance(name.toLowerCase(), known.toLowerCase()) <= (shorter < SHORT ? 1 : 2);
}

/** The known name that was most likely meant: the same in another case, else a near one. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  return known.find((one) => one.toLowerCase() === lower) ?? known.find((one) => isNearly(name, one));
}
