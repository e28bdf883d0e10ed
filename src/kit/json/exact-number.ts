const INTEGER = /^-?\d+$/;
const ZERO = /^-?0*(?:\.0*)?(?:[eE]|$)/;

/**
 * Whether a double means what a JSON number says: an integer must print the same digits, and nothing may be beyond the
 * range of doubles, in either direction. Fractions become the nearest double, which is what a fraction means everywhere.
 */
export function isExactNumber(token: string): boolean {
  const number = Number(token);
  if (!Number.isFinite(number)) return false;
  if (number === 0) return ZERO.test(token);
  return !INTEGER.test(token) || String(number) === token || BigInt(token) === BigInt(number);
}
