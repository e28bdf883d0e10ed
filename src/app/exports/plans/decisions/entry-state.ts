import type { EntryOutcome, JsonObject, PlanEntry, TargetKind } from '../../../../ports/index.ts';
import { fieldOf, remoteDigest, sameValue } from './canonical.ts';
import { isOurs, type Owned, type Remote } from './match-object.ts';

/** The present data of the object that an entry of a plan is about. */
export interface EntryPlace {
  readonly kind: TargetKind;
  /** The object with the key from when the plan was made. */
  readonly remote: Remote | undefined;
  /** The object with the key that the entry's object is to have. */
  readonly now: Remote | undefined;
  /** The data remembered under the key that the object is to have. */
  readonly owned: Owned | undefined;
  /** The secret fields that the entry writes. */
  readonly secrets: JsonObject;
}

export interface EntryState {
  readonly outcome: EntryOutcome;
  readonly reason: string;
}

const CHANGED = {
  outcome: 'changed',
  reason: 'it was changed there since the plan; make a new plan',
} as const;
const GONE = { outcome: 'gone', reason: 'it is not there any more; make a new plan' } as const;

/**
 * Returns why the entry can no longer be applied; `done` if its effect is there already; `undefined` if it is still as planned.
 */
export function entryState(
  entry: PlanEntry,
  { kind, remote, now, owned, secrets }: EntryPlace,
): EntryState | undefined {
  if (entry.action === 'delete') {
    if (remote === undefined) return { outcome: 'done', reason: 'it was gone already' };
    if (isRetiring(entry) && remote.id === entry.remote?.id && hasAll(entry, kind, remote, secrets))
      return { outcome: 'done', reason: 'it was like that already' };
    return isSame(entry, kind, remote) ? undefined : CHANGED;
  }
  if (entry.action === 'create') {
    if (now === undefined) return undefined;
    if (isOurs(kind, now, owned) && hasAll(entry, kind, now, secrets))
      return { outcome: 'done', reason: 'it was there already' };
    return { outcome: 'exists', reason: 'an object of that name has been made there since the plan' };
  }
  if (remote !== undefined && isSame(entry, kind, remote)) {
    if (entry.action === 'move' && now !== undefined && entry.previousKey !== entry.key) {
      return { outcome: 'exists', reason: 'an object of that name has been made there since the plan' };
    }
    return undefined;
  }
  // A process that died had perhaps done it.
  if (now?.id === entry.remote?.id && now !== undefined && hasAll(entry, kind, now, secrets)) {
    return { outcome: 'done', reason: 'it was like that already' };
  }
  return remote === undefined ? GONE : CHANGED;
}

/** Whether fields are written instead of deleting the object. */
export function isRetiring({ action, fields }: PlanEntry): boolean {
  return action === 'delete' && fields.length > 0;
}

/** Whether the object is the one that the plan was made from. */
function isSame({ remote }: PlanEntry, kind: TargetKind, now: Remote): boolean {
  return remote !== null && !now.twice && now.id === remote.id && remoteDigest(kind, now) === remote.digest;
}

/** Whether the object has all that the entry writes. What the system does not give back is taken for granted. */
function hasAll({ fields }: PlanEntry, kind: TargetKind, now: Remote, secrets: JsonObject): boolean {
  return fields.every(({ name, after, secret }) => {
    const field = fieldOf(kind, name);
    const wanted = secret === true ? secrets[name] : after;
    const there = Object.hasOwn(now.fields, name) ? now.fields[name] : undefined;
    if (field === undefined || wanted === undefined || field.once === true) return true;
    return there === undefined ? field.secret === true : sameValue(there, wanted, field);
  });
}
