import { setOwn } from '../../kit/file-source/own-property.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { isList } from '../../kit/records/record-path.ts';
import type { JsonObject, JsonValue } from '../../ports/index.ts';

/**
 * The members of entries under names of their own, without anything nested: `ip_hostname`, and of an object in an entry `ip_hostaddress_ref_title`.
 * Of several entries, or of several objects in a list, each has its number from 1: `ip_2_hostname`, `ip_zones_title_1`.
 */
export function flatEntries(name: string, entries: readonly JsonValue[]): JsonObject {
  const made: Record<string, JsonValue> = {};
  for (const [index, entry] of entries.entries()) {
    if (!isJsonObject(entry)) continue;
    const called = entries.length === 1 ? name : `${name}_${index + 1}`;
    for (const [member, value = null] of Object.entries(entry)) {
      if (isJsonObject(value)) {
        for (const [inner, one = null] of Object.entries(value)) setOwn(made, `${called}_${member}_${inner}`, one);
      } else if (isList(value) && value.some(isJsonObject)) addList(made, `${called}_${member}`, value);
      else setOwn(made, `${called}_${member}`, value);
    }
  }
  return made;
}

function addList(made: Record<string, JsonValue>, called: string, list: readonly JsonValue[]): void {
  for (const [index, element] of list.entries()) {
    if (!isJsonObject(element)) continue;
    const number = list.length === 1 ? '' : `_${index + 1}`;
    for (const [inner, one = null] of Object.entries(element)) setOwn(made, `${called}_${inner}${number}`, one);
  }
}
