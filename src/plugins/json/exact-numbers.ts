import { isExactNumber } from '../../app/kernel/json/exact-number.ts';

/** Digits or exponents that a double may not hold. */
const SUSPICIOUS = /\d{16}|\d[eE]/;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** `JSON.parse`, but numbers that a double would change become texts with the same digits. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!SUSPICIOUS.test(text)) return value;
  const quoted = text.replaceAll(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || isExactNumber(token) ? token : `"${token}"`,
  );
  return quoted === text ? value : JSON.parse(quoted);
}
