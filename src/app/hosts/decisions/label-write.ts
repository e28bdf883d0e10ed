import { sameJson } from '../../../kit/json/json-text.ts';
import type { LabelOutcome, LabelPreview, LabelWrite } from '../../../ports/index.ts';
import { archiveChange } from './archive.ts';
import { ownerChange, type Remembered } from './host-changes.ts';
import type { ChangedBy, DraftHost, HostDraft } from './host-draft.ts';
import type { HostState } from './host-state.ts';
import { ownLabels, setOwnLabels } from './label-layers.ts';
import type { NamedChange } from './named-change.ts';

/** Values that cost a store reading, so they are requested only if something depends on them. */
export interface LabelLookup {
  /** Whether the host would be too large with the given labels in the place of the owner's. */
  tooLarge(): boolean;
  /** Whether the owner's labels are the given ones already. */
  same(): boolean;
}

/** The change of a host that is written. */
interface LabelChange {
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
  readonly outcome: LabelOutcome;
  /** Absent where the host is left alone. */
  readonly change?: LabelChange;
}

const NOTHING: readonly Remembered[] = [];

/** Returns the outcome of labels for a host that may not exist yet. See `LabelOutcome`. */
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

export interface LabelMessage extends ChangedBy, Required<Pick<LabelWrite, 'account' | 'takeOver'>> {
  readonly runId: string | null;
  /** JSON text of the labels that the writer has seen; `null` if there was no host. Absent: any labels. */
  readonly before?: string | null | undefined;
}

/** The labels of a host that is as likely: they stay, so it does not grow. */
const SAME_LABELS: LabelLookup = { tooLarge: () => false, same: () => true };

/** `HostStore.saveLabels`; an entry is the labels. */
export const saveLabels: NamedChange<LabelMessage, string, LabelOutcome> = {
  name: 'saveLabels',
  reads: ['labels', 'layers'],
  likely: (labels) => labels,
  glancing: (message) => (host) => {
    if (message.before !== undefined) return undefined;
    const { outcome, change } = labelDecision(host, message, SAME_LABELS);
    if (change === undefined || outcome !== 'unchanged') return undefined;
    return { outcome, lastSeen: change.at, runId: change.runId };
  },
  deciding: (message) => (draft, labels) => {
    const { host } = draft;
    const { outcome, change } = labelDecision(host, message, new DraftLabels(draft, labels));
    if (change === undefined) return outcome;
    if (message.before !== undefined && !isAsSeen(host, message.before)) return 'changed';
    if (outcome !== 'unchanged') draft.visible = true;
    if (host === undefined) draft.put(newHost(message, labels), message);
    else {
      draft.see(change.at, change.runId);
      if (outcome === 'updated') update(draft, host, { change, message, labels });
    }
    return outcome;
  },
};

function isAsSeen(host: DraftHost | undefined, before: string | null): boolean {
  if (host === undefined || before === null) return host === undefined && before === null;
  return host.archive === null && sameJson(ownLabels(host), before);
}

/** Answers from a draft about labels for its host. */
class DraftLabels implements LabelLookup {
  readonly #draft: HostDraft;
  readonly #labels: string;

  constructor(draft: HostDraft, labels: string) {
    this.#draft = draft;
    this.#labels = labels;
  }

  tooLarge(): boolean {
    const { host } = this.#draft;
    return !this.#draft.mayBecome(host === undefined ? '' : ownLabels(host), this.#labels);
  }

  same(): boolean {
    const { host } = this.#draft;
    return host !== undefined && sameJson(ownLabels(host), this.#labels);
  }
}

/** Outside of the literal below, which would be built at half the speed with a list in it. */
const NO_LAYERS: DraftHost['layers'] = [];

function newHost({ account, at, runId }: LabelMessage, labels: string): DraftHost {
  const now = at.getTime();
  return {
    accountId: account.id,
    isObject: account.isObject,
    objectType: account.objectType,
    archive: null,
    folder: null,
    createdAt: now,
    lastSeen: now,
    lastUpdate: now,
    runId,
    labels,
    inventory: '{}',
    members: '{}',
    layers: NO_LAYERS,
  };
}

interface Update {
  readonly change: LabelChange;
  readonly message: LabelMessage;
  readonly labels: string;
}

function update(draft: HostDraft, host: DraftHost, { change, message: { account, actor }, labels }: Update): void {
  const by: ChangedBy = { at: new Date(change.at), actor };
  draft.change({ lastUpdate: change.at });
  if (change.comesBack) draft.change({ archive: null });
  if (change.changesOwner) {
    draft.change({
      accountId: account.id,
      isObject: account.isObject,
      objectType: account.objectType,
      layers: host.layers.filter((layer) => layer.accountId !== account.id),
    });
  }
  for (const remembered of change.remembered) draft.remember(remembered, by);
  setOwnLabels(draft, host, labels, by);
}

/** The outcome that a label write would have; `before` are the owner's labels that it would replace. */
export interface LabelAnswer {
  readonly outcome: LabelPreview['outcome'];
  readonly before?: string;
}

/** `HostStore.previewLabels`. */
export const previewLabels: NamedChange<Pick<LabelMessage, 'account' | 'takeOver'>, string, LabelAnswer> = {
  name: 'previewLabels',
  reads: ['labels', 'layers'],
  isQuestion: true,
  likely: (labels) => labels,
  deciding: (message) => (draft, labels) => {
    const outcome = labelOutcome(draft.host, message, new DraftLabels(draft, labels));
    return draft.host === undefined ? { outcome } : { outcome, before: ownLabels(draft.host) };
  },
};
