import type { Change, JsonObject, PlanEntry } from '../../../../ports/index.ts';
import { picked } from './canonical.ts';
import type { Remote } from './match-object.ts';

/** What the target is asked to do for an entry, whose object is `remote` now. */
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
