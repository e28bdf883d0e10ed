/** Digits or exponents that a double may not hold. */
const SUSPICIOUS = /\d{16}|\d[eE]/;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;

/**
 * `JSON.parse`, but integers that would print other digits as a number (serial numbers, 64-bit ids) and numbers out of range
 * become texts with the same digits. Fractions become the nearest double.
 */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!SUSPICIOUS.test(text)) return value;
  const quoted = text.replaceAll(STRING_OR_NUMBER, (token) => (isExact(token) ? token : `"${token}"`));
  return quoted === text ? value : JSON.parse(quoted);
}

function isExact(token: string): boolean {
  if (token.startsWith('"')) return true;
  const number = Number(token);
  if (!Number.isFinite(number)) return false;
  return !INTEGER.test(token) || String(number) === token || BigInt(token) === BigInt(number);
}
