import { namesOfPath } from '../../../kit/json/member-path.ts';
import { scalarsOf } from '../../../kit/json/values-at.ts';
import { RELATION_LABELS } from '../../../kit/records/relation-labels.ts';
import type { HostRecord, JsonValue, LabelScalar } from '../../../ports/index.ts';

/** The part of a host that a field means. A name may mean several things: a label, a place in a section, a relation. */
export interface HostField {
  /** A member of the host itself, which every host has. */
  readonly own?: OwnField;
  readonly label?: string;
  /** Its path in the inventory. */
  readonly path?: readonly string[];
  /** The type of a relation. */
  readonly relation?: string;
  /** Its path in the host as the inventory serves it, after all rules. */
  readonly served?: readonly string[];
}

export type OwnField = keyof typeof OWN_FIELDS;
export type MomentField = 'seen' | 'changed' | 'created' | 'archived';

/** The host's own fields. A label of the same name counts too, except for times and the state in the archive. */
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

/** `label.site`, `section.facts.os`, `relation.runs_on`, `served.tier` and, of the host itself, `own.name` mean just that. */
export function hostField(written: string): HostField {
  const [kind = '', rest] = written.includes('.') ? split(written) : [written, undefined];
  if (rest !== undefined) {
    if (kind === 'label') return { label: rest };
    if (kind === 'section') return { path: namesOfPath(rest) };
    if (kind === 'relation') return { relation: rest };
    if (kind === 'served') return { served: namesOfPath(rest) };
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
  const quoted = JSON.stringify(name);
  const at = labels.text.indexOf(quoted);
  if (at === -1) return NONE;
  const alone = scalarAfter(labels.text, `${quoted}:`, at);
  if (alone !== undefined) return [alone];
  if (!Object.hasOwn(labels.value, name)) return NONE;
  const value = labels.value[name];
  return scalarsOf(value as JsonValue);
}

const NONE: readonly LabelScalar[] = [];
const SCALAR = /"[^"\\]*"|-?\d[\d.eE+-]*|true|false|null/y;

/** Returns the value of one member without parsing the others; `undefined` if the text alone is not enough. Quotes within values are escaped, so `"name":` is always a member. */
function scalarAfter(text: string, member: string, from: number): LabelScalar | undefined {
  if (text.lastIndexOf('{') !== 0) return undefined;
  const at = text.indexOf(member, from);
  if (at === -1) return undefined;
  SCALAR.lastIndex = at + member.length;
  const [found] = SCALAR.exec(text) ?? [];
  return found === undefined ? undefined : (JSON.parse(found) as LabelScalar);
}
