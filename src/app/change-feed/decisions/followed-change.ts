import type { FeedEntry, HostRecord, HostScope } from '../../../ports/index.ts';
import { inScope, wasInScope } from '../../hosts/decisions/scope.ts';

/** What somebody who follows the changes is told of one. */
export interface FollowedChange {
  readonly kind: FeedEntry['kind'] | 'entered' | 'left';
  readonly hostname: string;
  /** Whether the host comes along as it is now. */
  readonly whole: boolean;
}

/** The name under which the host is looked up by now. */
export function nameToday({ current, hostname, kind }: FeedEntry): string | undefined {
  if (current !== null) return current;
  // The history of the host is gone, and with it the host: one of that name is another one.
  return kind === 'account' || kind === 'renamed' ? undefined : hostname;
}

/**
 * Who reaches all hosts is told everything. Who is restricted is told what happens to the hosts that they reach today, and that one `left` when
 * they reached it before the change and do not today: nothing else about it, as it is none of theirs. A host that they did not reach
 * before has `entered`, and comes as a whole.
 */
export function followedChange(
  entry: FeedEntry,
  today: HostRecord | undefined,
  scope: HostScope,
): FollowedChange | undefined {
  const { kind, hostname, current, whole, reach } = entry;
  const told = { kind, hostname, whole: whole || kind === 'account' };
  // Told late: another host may have come under that name since.
  if (kind === 'deleted' && whole && today !== undefined) return undefined;
  // A host that was deleted for good meanwhile; that comes later.
  if (scope === null) return kind === 'account' && current === null ? undefined : told;
  const isReached = today !== undefined && inScope(today, scope);
  const wasReached = reach !== null && wasInScope(reach, scope);
  switch (kind) {
    case 'created':
      return isReached && wasReached ? told : undefined;
    case 'deleted':
      return wasReached ? told : undefined;
    case 'account':
    case 'templates':
    case 'renamed':
      // A copy may hold the host under the name before, which the history of a host that is reached tells anyway.
      if (isReached) return wasReached || kind === 'renamed' ? told : { kind: 'entered', hostname, whole: true };
      return wasReached ? { kind: 'left', hostname: nameBefore(entry), whole: false } : undefined;
    default:
      return isReached ? told : undefined;
  }
}

function nameBefore({ kind, hostname, changes }: FeedEntry): string {
  const before = kind === 'renamed' ? changes.value[0]?.before : undefined;
  return typeof before === 'string' ? before : hostname;
}
