import type { ArchiveReason } from '../../../ports/index.ts';
import type { Remembered } from './host-changes.ts';
import type { HostState } from './host-state.ts';

type Archive = NonNullable<HostState['archive']>;

/** What becomes of an active host that goes into the archive; it holds no folder there. */
export interface Archiving {
  readonly archive: Archive;
  /** The folder whose seat it gives back. */
  readonly seatBack: string | null;
  readonly remembered: Remembered;
}

export function archiving(
  host: Pick<HostState, 'folder'>,
  { at, by }: { readonly at: Date; readonly by: ArchiveReason },
): Archiving {
  const archive = { at: at.getTime(), by };
  return { archive, seatBack: host.folder, remembered: archiveChange(null, archive) };
}

/** How the history tells that a host went into the archive or came out of it. */
export function archiveChange(before: Archive | null, after: Archive | null): Remembered {
  const change = {
    path: 'archive',
    ...(before !== null && { before: shown(before) }),
    ...(after !== null && { after: shown(after) }),
  };
  return { kind: after === null ? 'restored' : 'archived', changes: [change] };
}

function shown({ at, by }: Archive): { readonly at: string; readonly by: ArchiveReason } {
  return { at: new Date(at).toISOString(), by };
}

/** Whether nobody saw an active host for so long that it is archived as `stale`. What is no host is never stale. */
export function isStale(
  host: Pick<HostState, 'accountId' | 'isObject' | 'archive' | 'createdAt' | 'lastSeen'>,
  { seenBefore, accountId }: { readonly seenBefore: number; readonly accountId: string | null },
): boolean {
  if (host.archive !== null || host.isObject) return false;
  if (accountId !== null && host.accountId !== accountId) return false;
  return (host.lastSeen ?? host.createdAt) < seenBefore;
}
