import { parseJson } from '../../../../kit/json/parse-json.ts';
import type { JsonValue } from '../../../../ports/json.ts';
import { UsageError } from '../../usage-error.ts';

/** `os=debian` is text, `cpus:=8` is JSON. */
export function labelOf(option: string, [key, value]: readonly [string, string]): [string, JsonValue] {
  if (!key.endsWith(':')) return [key, value];
  try {
    return [key.slice(0, -1), parseJson(value) as JsonValue];
  } catch {
    throw new UsageError(`${option} ${key}=${value}: := must be followed by JSON, such as 8, true or ["a","b"]`);
  }
}
