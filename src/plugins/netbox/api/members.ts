import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonValue } from '../../../ports/index.ts';

/** Returns the id of an object that NetBox nests in another; `undefined` if there is none. */
export function idOf(value: JsonValue | undefined): number | undefined {
  return isJsonObject(value) && typeof value.id === 'number' ? value.id : undefined;
}
