import { readJson } from './json-reader.ts';

/** `JSON.parse`, but numbers that a double would change become texts with the same digits. */
export function parseExact(text: string, inexact: boolean): unknown {
  const value: unknown = JSON.parse(text);
  return inexact ? readJson(text, { number: (token) => token }) : value;
}
