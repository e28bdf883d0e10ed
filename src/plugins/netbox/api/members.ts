import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonValue } from '../../../ports/index.ts';

/** The id of an object, as NetBox nests it in others; `undefined` where there is none. */
export function idOf(value: JsonValue | undefined): number | undefined {
  return isJsonObject(value) && typeof value.id === 'number' ? value.id : undefined;
}
