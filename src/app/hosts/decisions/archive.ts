import type { ArchiveOutcome, ArchiveReason, HostScope, RestoreOutcome } from '../../../ports/index.ts';
import type { Remembered } from './host-changes.ts';
import type { ChangedBy, DraftHost, HostDraft, HostPart } from './host-draft.ts';
import type { HostState } from './host-state.ts';
import type { NamedChange } from './named-change.ts';
import { isProtected } from './protection.ts';
import { isActive, isArchived, scopeTest } from './scope.ts';
import { isUnseen } from './sweep.ts';

type Archive = NonNullable<HostState['archive']>;

/** The change of an active host that is archived; it occupies no folder in the archive. */
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

/** Returns the history entry for a host that was archived or restored. */
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

export interface Staleness {
  readonly seenBefore: number;
  /** `null` for hosts of all accounts. */
  readonly accountId: string | null;
}

/** Whether an active host was not seen for long enough to be archived as `stale`. Objects that are not hosts never are. */
export function isStale(
  host: Pick<HostState, 'accountId' | 'isObject' | 'archive' | 'createdAt' | 'lastSeen'>,
  { seenBefore, accountId }: Staleness,
): boolean {
  if (host.archive !== null || host.isObject) return false;
  if (accountId !== null && host.accountId !== accountId) return false;
  return (host.lastSeen ?? host.createdAt) < seenBefore;
}

export interface ArchiveMessage extends ChangedBy {
  readonly by: ArchiveReason;
  readonly scope: HostScope;
}

/** `HostStore.archive`. */
export const archive: NamedChange<ArchiveMessage, null, ArchiveOutcome> = {
  name: 'archive',
  // The templates named by its members may decide which callers reach the host.
  reads: ['members'],
  deciding(message) {
    const reaches = scopeTest(message.scope);
    return (draft) => {
      const { host } = draft;
      if (!isActive(host, reaches)) return 'not_found';
      putAway(draft, host, message.by, message);
      return 'archived';
    };
  },
};

/** Archives the host, as of now unless `since` is given. */
export function putAway(
  draft: HostDraft,
  host: DraftHost,
  reason: ArchiveReason,
  by: ChangedBy,
  since: Date = by.at,
): void {
  const { archive, seatBack, remembered } = archiving(host, { at: since, by: reason });
  if (seatBack !== null) draft.effects.push({ name: 'seat_given_back', subject: seatBack, at: by.at, actor: by.actor });
  draft.change({ archive, folder: null });
  draft.visible = true;
  draft.remember(remembered, by);
}

/** The host comes out of the archive, without a seat. */
export function takeOut(draft: HostDraft, host: DraftHost, by: ChangedBy): void {
  draft.remember(archiveChange(host.archive, null), by);
  draft.change({ archive: null, folder: null });
  draft.visible = true;
}

/** The change by which a sweep or a rule archives: a store finds the hosts, and each is checked again when written. */
function archiveWhere<Message extends ChangedBy>(
  name: string,
  reason: ArchiveReason,
  isMeant: (host: DraftHost, message: Message) => boolean,
  reads: readonly HostPart[] = [],
): NamedChange<Message, null, boolean> {
  return {
    name,
    reads,
    deciding: (message) => (draft) => {
      const { host } = draft;
      if (host === undefined || !isMeant(host, message)) return false;
      putAway(draft, host, reason, message);
      return true;
    },
  };
}

/** `HostStore.archiveUnseen` for the candidates, once `sweepDecision` lets them go. */
export const archiveUnseen = archiveWhere<ChangedBy & Parameters<typeof isUnseen>[1]>(
  'archiveUnseen',
  'import',
  isUnseen,
);

/** `HostStore.archiveStale` for the hosts that a store found. */
export const archiveStale = archiveWhere<ChangedBy & Staleness>(
  'archiveStale',
  'stale',
  (host, message) => isStale(host, message) && !isProtected(host.members),
  ['members'],
);

/** `HostStore.restore`. */
export const restore: NamedChange<ChangedBy & { readonly scope: HostScope }, null, RestoreOutcome> = {
  name: 'restore',
  reads: ['members'],
  deciding(message) {
    const reaches = scopeTest(message.scope);
    return (draft) => {
      const { host } = draft;
      if (!isArchived(host, reaches)) return 'not_found';
      takeOut(draft, host, message);
      return 'restored';
    };
  },
};
