import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonObject, JsonValue, PlanRule, TargetField, TargetKind, WantedObject } from '../../../ports/index.ts';
import { fieldOf, sameValue } from './decisions/canonical.ts';

/** One object as the records asked so far want it, combined. */
export interface CollectedObject {
  /** The first of them. */
  readonly hostname: string;
  /** Digest of what that host is. */
  readonly host: string;
  readonly rule: PlanRule | null;
  readonly object: WantedObject;
  /** The host that named each field first. */
  readonly namedBy: Readonly<Record<string, string>>;
  /** The hosts that want different things of it; empty while there are none. */
  readonly contradiction: string;
}

/** An object as a single record wants it. */
export function collectedObject(
  object: WantedObject,
  from: Pick<CollectedObject, 'hostname' | 'host' | 'rule'>,
): CollectedObject {
  const namedBy = Object.fromEntries(Object.keys(object.fields).map((name) => [name, from.hostname]));
  return { ...from, object, namedBy, contradiction: '' };
}

/** Adds what one more record wants. Returns the same value if that adds nothing. */
export function withDesired(
  kind: TargetKind,
  collected: CollectedObject,
  hostname: string,
  object: WantedObject,
): CollectedObject {
  const fields: Record<string, JsonValue> = { ...collected.object.fields };
  const namedBy: Record<string, string> = { ...collected.namedBy };
  let isNews = false;
  for (const [name, value] of Object.entries(object.fields)) {
    const field = fieldOf(kind, name);
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined || known === value || (known !== undefined && field.once === true)) continue;
    const both = known === undefined ? value : together(field, known, value);
    if (both === undefined) {
      const contradiction = `${collected.namedBy[name] ?? collected.hostname} and ${hostname} want different states for it (${name})`;
      return collected.contradiction === '' ? { ...collected, contradiction } : collected;
    }
    if (both === known) continue;
    fields[name] = both;
    namedBy[name] ??= hostname;
    isNews = true;
  }
  if (!isNews && !hasMore(object, collected.object)) return collected;
  return { ...collected, object: joinedObject(collected.object, object, fields), namedBy };
}

/** Returns both values combined; `undefined` if they contradict each other. */
function together(field: TargetField, one: JsonValue, other: JsonValue): JsonValue | undefined {
  if (field.compare !== 'members' || !isJsonObject(one) || !isJsonObject(other))
    return sameValue(one, other, field) ? one : undefined;
  if (sameValue(one, other, field)) return one;
  const both = { ...one, ...other };
  return sameValue(both, one, field) ? both : undefined;
}

/** Whether there is something to be written once, or to come after, that the other does not have. */
function hasMore({ initial = {}, after = [] }: WantedObject, other: WantedObject): boolean {
  return Object.keys(initial).some((name) => !hasMember(other.initial, name)) || newReferences(other, after).length > 0;
}

/** Joins two desired states. The first one decides on fields that are written once. */
function joinedObject(one: WantedObject, other: WantedObject, fields: JsonObject): WantedObject {
  const initial = { ...other.initial, ...one.initial };
  const after = [...(one.after ?? []), ...newReferences(one, other.after ?? [])];
  return {
    ...one,
    fields,
    ...(Object.keys(initial).length === 0 ? {} : { initial }),
    ...(after.length === 0 ? {} : { after }),
  };
}

function newReferences({ after: known = [] }: WantedObject, after: NonNullable<WantedObject['after']>) {
  return after.filter(({ kind, key }) => !known.some((one) => one.kind === kind && one.key === key));
}

function hasMember(object: JsonObject | undefined, name: string): boolean {
  return object !== undefined && Object.hasOwn(object, name);
}
