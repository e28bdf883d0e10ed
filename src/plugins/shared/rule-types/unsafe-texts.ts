import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonValue } from '../../../ports/json.ts';

const MARK = '__ansible_unsafe';
const OPENING = /\{(?=[{%#])/g;

/**
 * The value without marks of texts that no consumer may evaluate, as sources keep them. The texts are data: where the value around them is
 * evaluated (`evaluated`), their template text is broken by a space.
 */
export function withoutMarks(value: JsonValue, evaluated: boolean): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => withoutMarks(item, evaluated));
  if (!isJsonObject(value)) return value;
  const text = Object.hasOwn(value, MARK) ? value[MARK] : undefined;
  if (typeof text === 'string') return evaluated ? text.replace(OPENING, '{ ') : text;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) =>
      item === undefined ? [] : [[name, withoutMarks(item, evaluated)]],
    ),
  );
}
