import type { JsonObject, JsonValue, SourceItem, SourceRecord } from '../../ports/index.ts';
import { isJsonObject } from '../json/json-object.ts';
import { fieldValues, isList } from './record-path.ts';

/** A key of records, and the path of its values. */
interface KeyField {
  readonly name: string;
  readonly path: string;
}

/** Parses `serial`, `hardware.serial`, or `mac:interfaces[].mac_address`. Returns `undefined` for any other form. */
export function readKeyField(text: string): KeyField | undefined {
  const sign = text.indexOf(':');
  const path = text.slice(sign + 1).trim();
  const last = path.slice(path.lastIndexOf('.') + 1).replace(/(?:\[\])+$/, '');
  const name = (sign === -1 ? last : text.slice(0, sign).trim()).toLowerCase();
  return path === '' || !/^[a-z][a-z0-9_]{0,63}$/.test(name) ? undefined : { name, path };
}

/** The keys that records of an account have, as its option `key_fields` says. */
export class RecordKeys {
  readonly #fields: readonly KeyField[];

  constructor(options: readonly string[]) {
    this.#fields = options.flatMap((text) => readKeyField(text) ?? []);
  }

  /** The members of records that are asked for. */
  get paths(): readonly string[] {
    return this.#fields.map(({ path }) => path);
  }

  get areNone(): boolean {
    return this.#fields.length === 0;
  }

  /** `undefined` where the record has none. Numbers count as texts; of lists each element is a value. */
  of(record: JsonObject): SourceRecord['keys'] {
    const keys = new Map<string, string[]>();
    for (const { name, path } of this.#fields) {
      const values = fieldValues(record, path).flatMap(textsOf);
      if (values.length > 0) keys.set(name, [...(keys.get(name) ?? []), ...values]);
    }
    return keys.size === 0 ? undefined : Object.fromEntries(keys);
  }

  /** The item with the keys of the record that it was made of; of skipped ones those without a name have keys. */
  added<Item extends SourceItem>(item: Item, record: JsonValue): Item {
    const takesKeys = item.kind === 'record' || (item.kind === 'skipped' && item.hostname === undefined);
    if (this.areNone || !takesKeys || !isJsonObject(record)) return item;
    const keys = this.of(record);
    return keys === undefined ? item : { ...item, keys };
  }
}

function textsOf(value: JsonValue): readonly string[] {
  if (isList(value)) return value.flatMap(textsOf);
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  const text = String(value);
  return text.trim() === '' ? [] : [text];
}
