import type { FeedEntry, HostRecord, HostScope } from '../../../ports/index.ts';
import { inScope, wasInScope } from '../../hosts/decisions/scope.ts';

/** A change as sent to a client that follows the changes. */
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
 * Returns the change as a caller may see it. Callers who reach all hosts get every change. Restricted callers get the changes of the
 * hosts that they reach today. A host that they reached before a change and do not reach after it, or today, has `left`: nothing else
 * is reported about it, as it is outside of their scope. A host that they did not reach before has `entered`, and is sent as a whole.
 *
 * A host is sent only if the caller reached it under that name at that time too. Otherwise a copy would get it by an earlier change
 * than the one by which it entered the scope, and would keep it under a name whose end is not reported to the caller.
 */
export function followedChange(
  entry: FeedEntry,
  today: HostRecord | undefined,
  scope: HostScope,
): FollowedChange | undefined {
  const { kind, hostname, current, whole, reach, reachAfter } = entry;
  const reported = { kind, hostname, whole: whole || kind === 'account' };
  // Told late: another host may have come under that name since.
  if (kind === 'deleted' && whole && today !== undefined) return undefined;
  // A host that was deleted for good meanwhile; that comes later.
  if (scope === null) return kind === 'account' && current === null ? undefined : reported;
  const isReached = today !== undefined && inScope(today, scope);
  const wasReached = reach !== null && wasInScope(reach, scope);
  switch (kind) {
    case 'created':
      return isReached && wasReached ? reported : undefined;
    case 'deleted':
      return wasReached ? reported : undefined;
    case 'account':
    case 'templates':
    case 'renamed': {
      const after = kind === 'renamed' ? reach : reachAfter;
      const staysReached = isReached && (after === null || wasInScope(after, scope));
      if (staysReached) return wasReached ? reported : { kind: 'entered', hostname, whole: true };
      return wasReached ? { kind: 'left', hostname: nameBefore(entry), whole: false } : undefined;
    }
    default:
      return isReached ? reported : undefined;
  }
}

function nameBefore({ kind, hostname, changes }: FeedEntry): string {
  const before = kind === 'renamed' ? changes.value[0]?.before : undefined;
  return typeof before === 'string' ? before : hostname;
}
