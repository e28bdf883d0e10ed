import type { HostRecord, JsonObject, JsonValue, LabelScalar } from '../../../ports/index.ts';
import { RELATION_LABELS } from '../../hosts/decisions/relation-labels.ts';
import { isJsonObject } from '../../kernel/json/json-object.ts';
import { namesOfPath } from '../../kernel/json/member-path.ts';
import { quotedPart } from '../../kernel/json/quoted-part.ts';

/** What of a host a field means. A name may mean several things: a label, a place in a section, a relation. */
export interface HostField {
  /** A member of the host itself, which every host has. */
  readonly own?: OwnField;
  readonly label?: string;
  /** Where in the inventory it stands. */
  readonly path?: readonly string[];
  /** The type of a relation. */
  readonly relation?: string;
}

export type OwnField = keyof typeof OWN_FIELDS;
export type MomentField = 'seen' | 'changed' | 'created' | 'archived';

/** What each field of the host itself is. A label of the same name counts too, but where it says when, or whether it is in the archive. */
const OWN_FIELDS = {
  name: 'the hostname',
  account: 'the account that owns it',
  type: 'what it is: host, network, contact …',
  state: 'active or archived',
  template: 'a template that the host names',
  folder: 'the folder of the monitoring that it has a seat in',
  key: 'what it is known by elsewhere: key:serial=J4711',
  group: 'a group of the inventory, or one above it',
  seen: 'when a source last named it',
  changed: 'when it last changed',
  created: 'when it was first seen',
  archived: 'since when it is in the archive',
} as const;

const ALIASES: ReadonlyMap<string, OwnField> = new Map([
  ['hostname', 'name'],
  ['host', 'name'],
]);
const ALONE: ReadonlySet<OwnField> = new Set(['state', 'seen', 'changed', 'created', 'archived']);
const MOMENTS: ReadonlySet<string> = new Set<MomentField>(['seen', 'changed', 'created', 'archived']);

/** `label.site`, `section.facts.os`, `relation.runs_on` and, of the host itself, `own.name` mean just that. */
export function hostField(written: string): HostField {
  const [kind = '', rest] = written.includes('.') ? split(written) : [written, undefined];
  if (rest !== undefined) {
    if (kind === 'label') return { label: rest };
    if (kind === 'section') return { path: namesOfPath(rest) };
    if (kind === 'relation') return { relation: rest };
    const member = kind === 'own' ? ownField(rest) : undefined;
    if (member !== undefined) return { own: member };
  }
  const own = ownField(written);
  if (own !== undefined && ALONE.has(own)) return { own };
  const relation = Object.hasOwn(RELATION_LABELS, written) ? written : undefined;
  return {
    label: written,
    path: namesOfPath(written),
    ...(own === undefined ? {} : { own }),
    ...(relation === undefined ? {} : { relation }),
  };
}

export function isMoment(own: OwnField | undefined): own is MomentField {
  return own !== undefined && MOMENTS.has(own);
}

function ownField(written: string): OwnField | undefined {
  const name = written.toLowerCase();
  return Object.hasOwn(OWN_FIELDS, name) ? (name as OwnField) : ALIASES.get(name);
}

function split(written: string): readonly [string, string] {
  const dot = written.indexOf('.');
  return [written.slice(0, dot), written.slice(dot + 1)];
}

/** The values of a label: each of a list; of an empty list an empty one. */
export function labelValues({ labels }: Pick<HostRecord, 'labels'>, name: string): readonly LabelScalar[] {
  // Most hosts that lack a label are known by its text, which costs less than taking it apart.
  if (!labels.text.includes(JSON.stringify(name)) || !Object.hasOwn(labels.value, name)) return NONE;
  const value = labels.value[name];
  return scalarsOf(value as JsonValue);
}

/** The values at a place in the inventory. Lists are gone through; a name may hold dots. */
export function sectionValues(
  { inventory }: Pick<HostRecord, 'inventory'>,
  path: readonly string[],
): readonly LabelScalar[] {
  const { text } = inventory;
  // A name of the path may be a part of one with dots.
  if (text === '{}' || !path.every((name) => text.includes(quotedPart(name)))) return NONE;
  const found: LabelScalar[] = [];
  collect(inventory.value as JsonObject, path, found);
  return found;
}

function collect(value: JsonValue | undefined, path: readonly string[], found: LabelScalar[]): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) collect(item, path, found);
    return;
  }
  if (path.length === 0) {
    // That there is an object is known by a value that is like no other.
    if (isJsonObject(value)) found.push('');
    else if (value !== undefined) found.push(...scalarsOf(value));
    return;
  }
  if (!isJsonObject(value)) return;
  for (let names = 1; names <= path.length; names++) {
    const name = path.slice(0, names).join('.');
    if (Object.hasOwn(value, name)) collect(value[name], path.slice(names), found);
  }
}

/** Each value of a list, the value itself otherwise; of an empty list an empty one. */
export function scalarsOf(value: JsonValue): readonly LabelScalar[] {
  if (!Array.isArray(value)) return [value as LabelScalar];
  return value.length === 0 ? [''] : (value as readonly LabelScalar[]);
}

const NONE: readonly LabelScalar[] = [];
