import type { HostChange, KeptChange, Storage } from '../../ports/index.ts';
import type { Limits } from '../kernel/caller.ts';

/** When hosts came into the reach of a caller from an account beyond it. Hosts that were never beyond it are absent. */
export type Entries = ReadonlyMap<string, Date>;

/** Callers who reach all accounts reach every host from its beginning. */
export async function entriesOf(
  { history }: Pick<Storage, 'history'>,
  { scope }: Pick<Limits, 'scope'>,
  hostnames: readonly string[],
): Promise<Entries> {
  const entries = new Map<string, Date>();
  if (scope === null || hostnames.length === 0) return entries;
  for (const { hostname, at, changes } of await history.moves(hostnames)) {
    const isFromBeyond = changes.some(({ path, before }) => path === 'account' && !isWithin(scope, before));
    if (isFromBeyond && !entries.has(hostname)) entries.set(hostname, at);
  }
  return entries;
}

function isWithin(scope: readonly string[], account: unknown): boolean {
  return typeof account === 'string' && scope.includes(account);
}

/**
 * Returns the change as the caller may see it. States of a host before it entered the caller's reach, and their authors, are for
 * those who reached it then. Of the moment itself only the new account is shown: the other changes hold values of the old one.
 */
export function reportedChange(change: KeptChange, entries: Entries): KeptChange | undefined {
  const entry = entries.get(change.hostname);
  if (entry === undefined || change.at > entry) return change;
  if (change.at < entry || change.kind !== 'account') return undefined;
  // Its size is not an enumerable member, so the spread does not copy it.
  return { ...change, characters: change.characters, changes: withoutBefore(change.changes) };
}

function withoutBefore(changes: HostChange['changes']): HostChange['changes'] {
  return changes.map(({ before: _, ...rest }) => rest);
}
