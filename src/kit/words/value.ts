/** Texts that would be taken for a number, truth value, list or object. */
const LOOKS_LIKE_JSON = /^(?:\s.*|.*\s|true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|["[{].*)$/s;

/** A value as JSON, without quotes around a text that is plainly one; `undefined` for no value. */
export function valueText(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '' && !LOOKS_LIKE_JSON.test(value)) return value;
  return JSON.stringify(value);
}
