import { isJsonObject } from '../../../../kit/json/json-object.ts';
import type {
  JsonObject,
  JsonValue,
  OwnedObject,
  PlanField,
  RemoteObject,
  TargetField,
  TargetKind,
} from '../../../../ports/index.ts';
import { digestOf, fieldOf, picked, sameValue } from './canonical.ts';

/** An object as the system has it. */
export interface Remote extends Pick<RemoteObject, 'id' | 'owner' | 'fields' | 'partOf'> {
  readonly etag: string | null;
  /** True when two objects of the kind have the same key. */
  readonly twice?: true;
}

/** The data that Muster remembers of an object. */
export type Owned = Pick<OwnedObject, 'remoteId' | 'hostname' | 'digest' | 'pending' | 'secrets'>;

/** An object that is wanted, and what is known of it. */
export interface Comparison {
  readonly kind: TargetKind;
  readonly wanted: JsonObject;
  readonly remote: Remote | undefined;
  /** Under the key of the wanted object, or else by the id of the remote one. */
  readonly owned: Owned | undefined;
  /** The secret fields that were written last; absent if they are unknown. */
  readonly lastSecrets: JsonObject | undefined;
  /** Whether the account adopts objects without an owner. */
  readonly adopt: boolean;
}

export type Verdict =
  | { readonly action: 'unchanged' }
  | { readonly action: 'create' }
  | { readonly action: 'update' | 'adopt'; readonly fields: readonly PlanField[]; readonly drift: boolean }
  | { readonly action: 'conflict'; readonly reason: string };

/** Decides what happens to a wanted object. Moves are decided once all objects are known. */
export function matchObject(comparison: Comparison): Verdict {
  const { kind, remote, owned, adopt } = comparison;
  if (remote === undefined) return { action: kind.onlyThere === true ? 'unchanged' : 'create' };
  if (remote.twice) return conflict('is there more than once, so it is not known which one is meant');
  if (kind.ensured === true) return { action: 'unchanged' };
  if (remote.owner === 'other') return conflict('is there and has another owner');
  const wanted = withBack(kind, comparison.wanted, remote);
  const fields = differences({ kind, wanted, lastSecrets: comparison.lastSecrets }, remote);
  if (isOurs(kind, remote, owned)) {
    if (fields.length === 0) return { action: 'unchanged' };
    const drift = owned !== undefined && owned.pending === null && owned.digest === digestOf(kind, wanted);
    return { action: 'update', fields, drift };
  }
  if (adopt) return { action: 'adopt', fields, drift: false };
  return conflict('is there and was not made by Muster; set adopt of the account to take it over');
}

/** Whether the object may be changed and deleted. */
export function isOurs(kind: TargetKind, remote: Remote, owned: Owned | undefined): boolean {
  if (remote.owner !== 'nobody') return remote.owner === 'us';
  if (owned === undefined) return false;
  if (owned.pending === null) return owned.remoteId === remote.id;
  // The answer was lost, or the process died: the object with the fields that were being written is the one that was made.
  const isThat = owned.remoteId === null || owned.remoteId === remote.id;
  return isThat && digestOf(kind, picked(remote.fields, owned.pending)) === owned.digest;
}

/** The fields that are to be written. */
export function differences(
  { kind, wanted, lastSecrets }: Pick<Comparison, 'kind' | 'wanted' | 'lastSecrets'>,
  remote: Remote,
): readonly PlanField[] {
  const found: PlanField[] = [];
  for (const name of Object.keys(wanted)) {
    const after = wanted[name];
    const there = Object.hasOwn(remote.fields, name) ? remote.fields[name] : undefined;
    // The usual case.
    if (there !== undefined && there === after) continue;
    const field = fieldOf(kind, name);
    if (field === undefined || after === undefined || field.once === true) continue;
    // A system that does not give a secret back has the one that was written last.
    const last = lastSecrets !== undefined && Object.hasOwn(lastSecrets, name) ? lastSecrets[name] : undefined;
    const before = there === undefined && field.secret === true ? last : there;
    if (before !== undefined && sameValue(before, after, field)) continue;
    if (field.secret === true) found.push({ name, after, secret: true });
    else if (before === undefined) found.push({ name, after });
    else found.push({ name, before: comparedPart(field, before, after), after });
  }
  return found;
}

/** Returns the part of the present value that was compared with the wanted one. */
function comparedPart({ compare }: TargetField, before: JsonValue, after: JsonValue): JsonValue {
  return compare === 'members' && isJsonObject(before) && isJsonObject(after)
    ? picked(before, Object.keys(after))
    : before;
}

/** Returns what is wanted of an object that is there, with what brings it back if it is retired. */
export function withBack(kind: TargetKind, wanted: JsonObject, remote: Remote): JsonObject {
  const { retired } = kind;
  const isRetired =
    retired !== undefined && differences({ kind, wanted: retired.fields, lastSecrets: undefined }, remote).length === 0;
  return isRetired ? { ...retired.back, ...wanted } : wanted;
}

/** Returns the fields to write for a new object; `initial` is written only then. */
export function allFields(kind: TargetKind, { wanted: always, initial }: Making): readonly PlanField[] {
  const wanted = initial === undefined ? always : { ...initial, ...always };
  return Object.keys(wanted).flatMap((name): readonly PlanField[] => {
    const after = wanted[name];
    if (after === undefined) return [];
    return [{ name, after, ...(fieldOf(kind, name)?.secret === true ? { secret: true } : {}) }];
  });
}

interface Making {
  readonly wanted: JsonObject;
  readonly initial?: JsonObject;
}

function conflict(reason: string): Verdict {
  return { action: 'conflict', reason };
}
