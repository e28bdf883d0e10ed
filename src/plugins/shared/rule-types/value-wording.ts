import { plainWording, worded } from '../../../kit/worded.ts';
import type { JsonValue, Wording } from '../../../ports/index.ts';

/** Texts that would be taken for a number, truth value, list or object. */
const LOOKS_LIKE_JSON = /^(?:\s.*|.*\s|true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|["[{].*)$/s;

/** A value that a rule sets, in a line: JSON, without quotes around a text that is none. */
export function valueWording(value: JsonValue | undefined): Wording {
  if (value === undefined || value === '') return worded`empty`;
  const text = typeof value === 'string' && !LOOKS_LIKE_JSON.test(value) ? value : JSON.stringify(value);
  return plainWording(text);
}
