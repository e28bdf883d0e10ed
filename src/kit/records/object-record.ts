import type { JsonObject, JsonValue, SourceItem, SourceRecord, Wording } from '../../ports/index.ts';
import { shown } from '../file-source/fault.ts';
import { setOwn } from '../file-source/own-property.ts';
import { repeatedMembers } from '../json/exact-numbers.ts';
import { isJsonObject } from '../json/json-object.ts';
import { phrase, worded } from '../worded.ts';
import { flatList } from './flat-labels.ts';
import { recordName } from './record-name.ts';
import { isList } from './record-path.ts';

/** Deeper members become JSON text. */
const MAX_DEPTH = 32;
/** Names that a warning names. */
const MOST_NAMED = 10;

export interface LabelOptions {
  /**
   * The member with the hostname, which is then not a label; if several are given, comma-separated, the first that has a value,
   * and all are labels.
   */
  readonly hostname_field: string;
  /** Members that become inventory sections instead of labels. */
  readonly inventory_fields: readonly string[];
}

/** Turns one element of a list of objects into a record. `file` is the name that its file gives it. */
export function listedRecord(element: JsonValue, position: string, options: LabelOptions, file?: string): SourceItem {
  if (element === null) return { kind: 'gap', what: position, reason: phrase`the source gives null in its place` };
  // It may stand for several records, or for a row whose values are not those of the header.
  if (isList(element)) return { kind: 'gap', what: position, reason: phrase`the source gives a list in its place` };
  if (!isJsonObject(element)) return { kind: 'skipped', position, reason: phrase`is not an object` };
  const named = recordName(element, options.hostname_field, file);
  if ('reason' in named) {
    const { labels } = namedRecord('', element, position, { ...options, hostname_field: '' });
    return { kind: 'skipped', position, reason: named.reason, labels };
  }
  const record = namedRecord(named.name, element, position, options);
  return named.later ? { ...record, laterName: true } : record;
}

/** A record of a name from an object: its members are labels, nested ones with dotted keys. */
export function namedRecord(
  hostname: string,
  element: JsonObject,
  position: string,
  options: LabelOptions,
): SourceRecord {
  const field = options.hostname_field;
  const twice = repeatedMembers(element);
  if (twice.length === 0 && isFlat(element)) {
    // Copied as a whole, objects of the same members keep the same shape: a fraction of the time, here and when they are written.
    const { [field]: _, ...labels } = element;
    return { kind: 'record', position, hostname, labels };
  }
  const labels: Record<string, JsonValue> = {};
  const inventory: Record<string, JsonObject> = {};
  const warnings: Wording[] =
    twice.length === 0
      ? []
      : [
          worded`has members twice, of which the later counts: ${{ names: twice.slice(0, MOST_NAMED).map(shown).join(', ') }}`,
        ];
  let sections = 0;
  for (const key of Object.keys(element)) {
    const value = element[key];
    if (value === undefined) continue;
    if (isJsonObject(value) && options.inventory_fields.includes(key)) {
      setOwn(inventory, key, value);
      sections++;
    } else flattenInto(labels, key, value, { hostnameField: field, depth: 1, warnings });
  }
  const plain = { kind: 'record', position, hostname, labels } as const;
  const record = warnings.length === 0 ? plain : { ...plain, warnings };
  return sections === 0 ? record : { ...record, inventory };
}

/** Whether its members are labels as they are. */
function isFlat(element: JsonObject): boolean {
  for (const key in element) {
    const value = element[key];
    if (value === undefined) return false;
    if (typeof value === 'object' && value !== null && !(isList(value) && flatList(value) === value)) return false;
  }
  return true;
}

/** Nested members get dotted keys; what has no members of its own (`{}`) gives no label. */
function flattenInto(
  labels: Record<string, JsonValue>,
  key: string,
  value: JsonValue,
  at: { readonly hostnameField: string; readonly depth: number; readonly warnings: Wording[] },
): void {
  const { hostnameField, depth, warnings } = at;
  if (key === hostnameField && !isJsonObject(value)) return;
  if (!isJsonObject(value) && Object.hasOwn(labels, key)) {
    warnings.push(
      worded`has the label ${{ key: shown(key) }} twice, as a member of that name and as a member of an object; the former counts`,
    );
    if (depth > 1) return;
  }
  if (isList(value)) setOwn(labels, key, flatList(value));
  else if (!isJsonObject(value)) setOwn(labels, key, value);
  else if (depth >= MAX_DEPTH) setOwn(labels, key, JSON.stringify(value));
  else {
    for (const inner of Object.keys(value)) {
      const member = value[inner];
      if (member !== undefined) flattenInto(labels, `${key}.${inner}`, member, { ...at, depth: depth + 1 });
    }
  }
}
