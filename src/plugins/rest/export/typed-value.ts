import { isList } from '../../../kit/records/record-path.ts';
import type { JsonValue } from '../../../ports/index.ts';
import { textOfValue } from './value-template.ts';

const YES: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on']);

/** A value as its field says that values are, so that a system that answers "8" has what is wanted as 8. */
export function typedValue(value: JsonValue, type: 'text' | 'number' | 'flag' | undefined): JsonValue {
  if (type === undefined) return value;
  if (isList(value)) return value.map((one) => typedValue(one, type));
  if (type === 'text') return textOfValue(value);
  if (type === 'flag') return YES.has(textOfValue(value).trim().toLowerCase());
  const text = textOfValue(value).trim();
  const number = Number(text);
  return text === '' ? null : Number.isFinite(number) ? number : value;
}
