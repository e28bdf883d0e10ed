import type { LabelPreview, LabelWrite } from '../../../ports/index.ts';
import { archiveChange } from './archive.ts';
import { ownerChange, type Remembered } from './host-changes.ts';
import type { HostState } from './host-state.ts';

/** What costs a store reading, so that it is asked only where something depends on it. */
export interface LabelLookup {
  /** Whether the host would be too large with the given labels in the place of the owner's. */
  tooLarge(): boolean;
  /** Whether the owner's labels are the given ones already. */
  same(): boolean;
}

/** What becomes of a host that is written. */
export interface LabelChange {
  /** Its last sight, and its last update unless it is `unchanged`. */
  readonly at: number;
  /** The last run that wrote it. */
  readonly runId: string | null;
  /** It is in no archive any longer. */
  readonly comesBack: boolean;
  /** The writing account owns it from now on: what that one contributed goes, and the host is what hosts of the account are. */
  readonly changesOwner: boolean;
  readonly remembered: readonly Remembered[];
}

export interface LabelDecision {
  readonly outcome: LabelPreview['outcome'] | 'duplicate';
  /** Absent where the host is left alone. */
  readonly change?: LabelChange;
}

const NOTHING: readonly Remembered[] = [];

/** What becomes of labels for a host that may not exist yet. See `LabelOutcome`. */
export function labelOutcome(
  found: Pick<HostState, 'accountId' | 'archive'> | undefined,
  { account, takeOver = false }: Pick<LabelWrite, 'account' | 'takeOver'>,
  labels: LabelLookup,
): LabelPreview['outcome'] {
  if (found === undefined) return labels.tooLarge() ? 'too_large' : 'created';
  const isForeign = found.accountId !== null && found.accountId !== account.id;
  if (isForeign && !(takeOver && found.archive === null)) return 'account_conflict';
  if (found.archive?.by === 'operator') return 'archived';
  if (labels.tooLarge()) return 'too_large';
  if (found.archive !== null || found.accountId !== account.id) return 'updated';
  return labels.same() ? 'unchanged' : 'updated';
}

/** The same with what it changes. A write may have waited for others that were begun later: sights never move back. */
export function labelDecision(
  found: Pick<HostState, 'accountId' | 'archive' | 'lastSeen' | 'runId'> | undefined,
  write: Pick<LabelWrite, 'account' | 'takeOver' | 'at'> & { readonly runId?: string | null },
  labels: LabelLookup,
): LabelDecision {
  const { runId = null } = write;
  if (found !== undefined && runId !== null && found.runId === runId) return { outcome: 'duplicate' };
  const outcome = labelOutcome(found, write, labels);
  if (outcome === 'account_conflict' || outcome === 'archived' || outcome === 'too_large') return { outcome };
  const sent = write.at.getTime();
  if (found === undefined) {
    return { outcome, change: { at: sent, runId, comesBack: false, changesOwner: true, remembered: NOTHING } };
  }
  const comesBack = found.archive !== null;
  const changesOwner = found.accountId !== write.account.id;
  const change = {
    at: found.lastSeen === null ? sent : Math.max(sent, found.lastSeen),
    runId: runId ?? found.runId,
    comesBack,
    changesOwner,
    remembered: comesBack || changesOwner ? movesOf(found, write.account.id) : NOTHING,
  };
  return { outcome, change };
}

function movesOf({ accountId, archive }: Pick<HostState, 'accountId' | 'archive'>, owner: string): Remembered[] {
  const moves: Remembered[] = [];
  if (archive !== null) moves.push(archiveChange(archive, null));
  if (accountId !== owner) moves.push(ownerChange(accountId, owner));
  return moves;
}
