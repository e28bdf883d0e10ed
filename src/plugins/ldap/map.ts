import type { SearchEntry } from 'ldapts';
import { shown } from '../../kit/file-source/fault.ts';
import { setOwn } from '../../kit/file-source/own-property.ts';
import type { RecordKeys } from '../../kit/records/record-keys.ts';
import { isNoName } from '../../kit/records/worthless-values.ts';
import { worded } from '../../kit/worded.ts';
import type { JsonValue, SourceItem } from '../../ports/index.ts';
import { type AttributeValues, isSecret } from './attribute-values.ts';

/** An attribute with its values. */
export interface Attribute {
  readonly name: string;
  readonly values: readonly Buffer[];
}

/** An entry of a directory, whole. */
export interface Entry {
  readonly dn: string;
  readonly attributes: readonly Attribute[];
}

export interface Mapping {
  /** The first one that an entry has is its hostname. */
  readonly hostnameFields: readonly string[];
  /** Attributes that become labels; empty: all. */
  readonly wanted: readonly string[];
  readonly leaveOutDisabled: boolean;
  readonly keys: RecordKeys;
  readonly values: AttributeValues;
}

const RANGE = /;range=(\d+)-(\d+|\*)$/i;
const CONTROL = 'userAccountControl';
const DISABLED = 2;

/** Returns the attributes to request for mapping entries; empty: all. */
export function askedAttributes({ hostnameFields, wanted, leaveOutDisabled, keys }: Mapping): readonly string[] {
  if (wanted.length === 0) return [];
  const all = [...wanted, ...hostnameFields, ...keys.paths, ...(leaveOutDisabled ? [CONTROL] : [])];
  const known = new Set<string>();
  return all.filter((name) => {
    const isNew = !known.has(name.toLowerCase());
    known.add(name.toLowerCase());
    return isNew;
  });
}

/** The host of an entry; `undefined` for one that is left out. */
export function recordOf(entry: Entry, mapping: Mapping): SourceItem | undefined {
  const disabled = isDisabled(entry);
  if (disabled === true && mapping.leaveOutDisabled) return undefined;
  const hostname = hostnameOf(entry, mapping);
  if (hostname === undefined) {
    const fields = mapping.hostnameFields.map(shown).join(' and ');
    const reason = worded`has no name: it has no ${{ fields }}`;
    return mapping.keys.added({ kind: 'skipped', position: entry.dn, reason }, keyedValues(entry, mapping));
  }
  const labels: Record<string, JsonValue> = { dn: entry.dn };
  if (disabled !== undefined && isWanted(CONTROL, mapping)) labels.disabled = disabled;
  for (const { name, values } of entry.attributes) {
    if (same(name, hostname.field) || !isWanted(name, mapping)) continue;
    const value = mapping.values.of(name, values);
    if (value !== undefined) setOwn(labels, name, value);
  }
  const plain = { kind: 'record', position: entry.dn, hostname: hostname.name, labels } as const;
  // Other directories than Active Directory have no dNSHostName at all.
  const isLater = disabled !== undefined && hostname.field !== mapping.hostnameFields[0];
  const record = isLater ? ({ ...plain, laterName: true } as const) : plain;
  return mapping.keys.areNone ? record : mapping.keys.added(record, keyedValues(entry, mapping));
}

/** The attributes that are keys, by the names that the option has for them. */
function keyedValues(entry: Entry, { keys, values }: Mapping): Record<string, JsonValue> {
  const found: Record<string, JsonValue> = {};
  for (const path of keys.paths) {
    const value = values.of(path, valuesOf(entry, path));
    if (value !== undefined) setOwn(found, path, value);
  }
  return found;
}

/** An attribute that is named is wanted, whatever it holds. */
function isWanted(name: string, { wanted }: Mapping): boolean {
  return wanted.length === 0
    ? !isSecret(name)
    : wanted.some((one) => same(one.replace(RANGE, ''), name) || one === '*' || one === '+');
}

function hostnameOf(entry: Entry, { hostnameFields, values }: Mapping) {
  for (const field of hostnameFields) {
    const [first] = valuesOf(entry, field);
    const name = first === undefined ? undefined : values.text(first);
    if (name !== undefined && !isNoName(name)) return { name, field };
  }
  return undefined;
}

function isDisabled(entry: Entry): boolean | undefined {
  const [value] = valuesOf(entry, CONTROL);
  const flags = value === undefined ? Number.NaN : Number(value.toString('latin1'));
  return Number.isInteger(flags) ? (flags & DISABLED) !== 0 : undefined;
}

function valuesOf({ attributes }: Entry, field: string): readonly Buffer[] {
  return attributes.find(({ name }) => same(name, field))?.values ?? [];
}

/** Names of attributes have no case. */
function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** A part of an attribute: Active Directory gives 1500 values of one at a time. */
export interface PartOfAttribute {
  readonly name: string;
  /** The start of the next part; `undefined` if there is none. */
  readonly next: number | undefined;
}

/** Parses the name of a partial attribute, such as `member;range=0-1499`. */
export function partOf(attribute: string): PartOfAttribute | undefined {
  const found = RANGE.exec(attribute);
  if (found === null) return undefined;
  return { name: attribute.slice(0, found.index), next: found[2] === '*' ? undefined : Number(found[2]) + 1 };
}

/** Returns the attributes of a directory entry as they were read. */
export function attributesOf({ attributes }: SearchEntry): readonly Attribute[] {
  return attributes.map(({ type, parsedBuffers }) => ({ name: type, values: parsedBuffers }));
}
