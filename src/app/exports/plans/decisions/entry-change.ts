import type { Change, JsonObject, PlanAction, PlanEntry } from '../../../../ports/index.ts';
import { picked } from './canonical.ts';
import type { Remote } from './match-object.ts';

/** An entry with the change that it makes. */
export interface Tried {
  readonly entry: PlanEntry;
  readonly change: Change;
}

/** Actions whose entries may be done in any order, as long as none comes after another. */
export const IN_ANY_ORDER: ReadonlySet<PlanAction> = new Set(['create', 'update', 'adopt']);

/** Returns the change to request from the target for an entry, whose object is `remote` now. */
export function changeOf(entry: PlanEntry, remote: Remote | undefined, secrets: JsonObject): Change {
  const { action, kind, key, previousKey, fields: written, after } = entry;
  const fields: Record<string, JsonObject[string]> = {};
  for (const { name, after: plain, secret } of written) {
    const value = secret === true ? secrets[name] : plain;
    if (value !== undefined) fields[name] = value;
  }
  const change = { action: action === 'conflict' ? 'update' : action, kind, key, fields, after } as const;
  if (previousKey === null && (remote === undefined || action === 'create')) return change;
  const names = written.map(({ name }) => name);
  return {
    ...change,
    ...(previousKey === null ? {} : { previousKey }),
    ...(remote === undefined || action === 'create'
      ? {}
      : { id: remote.id, before: picked(remote.fields, names), current: remote.fields }),
    // As it is now: what the plan looks at has not changed.
    ...(remote === undefined || remote.etag === null ? {} : { etag: remote.etag }),
  };
}

/** Whether an entry is of the kind and the action of others, and comes after none of them. */
export function isAlike({ kind, action, after }: PlanEntry, others: readonly Tried[]): boolean {
  const first = others[0]?.entry;
  if (first === undefined) return true;
  if (first.kind !== kind || first.action !== action) return false;
  return !after.some(({ kind: of, key }) => of === kind && others.some(({ entry }) => entry.key === key));
}
