import type { Actor, Clock, HostScope, HostStore } from '../../ports/index.ts';

interface Deletion {
  readonly hostnames: readonly string[];
  /** Those among them that are active: in the archive a host has no seat in a folder pool. */
  readonly active: readonly string[];
  readonly scope: HostScope;
  readonly actor: Actor;
}

/** Deletes a portion of hosts for good, active ones by way of the archive. Answers the names of those that are gone. */
export async function deleteForGood(
  { hosts, clock }: { readonly hosts: HostStore; readonly clock: Clock },
  { hostnames, active, scope, actor }: Deletion,
): Promise<readonly string[]> {
  if (active.length > 0) await hosts.archive({ hostnames: active, by: 'operator', at: clock.now(), scope, actor });
  const outcomes = await hosts.purge({ hostnames, scope, at: clock.now(), actor });
  return hostnames.filter((_, place) => outcomes[place] === 'purged');
}
