import { sameJson } from '../../../kit/json/json-text.ts';
import type { ContributionOutcome, ContributionWrite } from '../../../ports/index.ts';
import type { ChangedBy, DraftHost, HostDraft } from './host-draft.ts';
import type { HostState } from './host-state.ts';
import { type HostLayer, ownerLayer, ownLabels, setOwnLabels, showLabels } from './label-layers.ts';
import type { NamedChange } from './named-change.ts';

/** An account that owns the host by now gives the owner's labels; every other one contributes. */
type Giver = 'owner' | 'contributor';

/** Values that cost a store reading, so they are requested only if something depends on them. */
export interface ContributionLookup {
  /** The account's contribution so far. */
  given(): Pick<HostLayer, 'precedence' | 'labels' | 'at' | 'runId'> | undefined;
  /** The owner's labels. */
  own(): string;
  /** Whether the host would be too large with the new labels in the place of what the account gives so far. */
  tooLarge(as: Giver): boolean;
}

export interface ContributionDecision {
  readonly outcome: ContributionOutcome;
  /**
   * The role in which the account gives the labels, and since when: the run writes both. If the outcome is `unchanged`, only run
   * and time are noted. Absent if the host is left alone.
   */
  readonly gives?: { readonly as: Giver; readonly at: number };
}

/** Decides on the labels that an account gives to an existing host. */
export function contributionDecision(
  found: Pick<HostState, 'accountId' | 'archive' | 'runId'>,
  write: Pick<ContributionWrite, 'accountId' | 'precedence' | 'at' | 'runId'>,
  labels: string,
  lookup: ContributionLookup,
): ContributionDecision {
  if (found.archive !== null) return { outcome: 'not_found' };
  const sent = write.at.getTime();
  if (found.accountId === write.accountId) {
    if (found.runId === write.runId) return { outcome: 'duplicate' };
    if (lookup.tooLarge('owner')) return { outcome: 'too_large' };
    return { outcome: sameJson(lookup.own(), labels) ? 'unchanged' : 'updated', gives: { as: 'owner', at: sent } };
  }
  const given = lookup.given();
  if (given?.runId === write.runId) return { outcome: 'duplicate' };
  // A write may have waited for others that were begun later.
  const gives = { as: 'contributor', at: given === undefined ? sent : Math.max(sent, given.at) } as const;
  const isSame = given?.precedence === write.precedence && sameJson(given.labels, labels);
  if (isSame) return { outcome: 'unchanged', gives };
  return lookup.tooLarge('contributor') ? { outcome: 'too_large' } : { outcome: 'updated', gives };
}

export interface Withdrawal {
  /** The run that ended; `null` withdraws everything, from archived hosts too. */
  readonly runId: string | null;
  /** Contributions given since then stay; `null` for no limit. */
  readonly seenBefore: number | null;
}

/** Whether a host loses the contribution of an account. Labels given by an owner do not count as a contribution. */
export function isWithdrawn(
  host: Pick<HostState, 'archive'>,
  given: Pick<HostLayer, 'owner' | 'at' | 'runId'> | undefined,
  { runId, seenBefore }: Withdrawal,
): boolean {
  if (given === undefined || given.owner) return false;
  if (runId !== null && (given.runId === runId || host.archive !== null)) return false;
  return seenBefore === null || given.at < seenBefore;
}

export type ContributionMessage = Omit<ContributionWrite, 'entries'>;

/** `HostStore.contributeLabels`; an entry is the labels. */
export const contributeLabels: NamedChange<ContributionMessage, string, ContributionOutcome> = {
  name: 'contributeLabels',
  reads: ['labels', 'layers'],
  deciding: (message) => (draft, labels) => {
    const { host } = draft;
    if (host === undefined) return 'not_found';
    const given = () => layerOf(host, message.accountId);
    const { outcome, gives } = contributionDecision(host, message, labels, {
      given,
      own: () => ownLabels(host),
      tooLarge: (as) => !draft.mayBecome(as === 'owner' ? ownLabels(host) : (given()?.labels ?? ''), labels),
    });
    if (gives === undefined) return outcome;
    const contributed = { outcome, gives, message, labels };
    const shows = gives.as === 'owner' ? giveOwn(draft, host, contributed) : giveLayer(draft, host, contributed);
    if (shows) {
      draft.change({ lastUpdate: message.at.getTime() });
      draft.visible = true;
    }
    return outcome;
  },
};

function layerOf(host: DraftHost, accountId: string): HostLayer | undefined {
  return host.layers.find((layer) => layer.accountId === accountId);
}

interface Contributed extends Required<ContributionDecision> {
  readonly message: ContributionMessage;
  readonly labels: string;
}

/** True when what consumers see changes. */
function giveOwn(draft: HostDraft, host: DraftHost, { outcome, message, labels }: Contributed): boolean {
  draft.change({ runId: message.runId });
  return outcome === 'updated' && setOwnLabels(draft, host, labels, message);
}

/** The same for what others than the owner give. The owner's labels move aside before the first of them covers them. */
function giveLayer(draft: HostDraft, host: DraftHost, { outcome, gives, message, labels }: Contributed): boolean {
  const { accountId, precedence, runId } = message;
  const own = ownLabels(host);
  const given = layerOf(host, accountId);
  const layer =
    outcome === 'unchanged' && given !== undefined
      ? { ...given, at: gives.at, runId }
      : { accountId, precedence, owner: false, labels, at: gives.at, runId };
  const others =
    host.layers.length === 0
      ? [ownerLayer(host.accountId, own, host.lastUpdate ?? host.createdAt)]
      : host.layers.filter((other) => other !== given);
  draft.change({ layers: [...others, layer] });
  return outcome === 'updated' && showLabels(draft, host, own, message);
}

export interface WithdrawMessage extends Withdrawal, ChangedBy {
  readonly accountId: string;
}

/** `HostStore.withdrawContributions` for the hosts that a store found; the outcome says whether one lost a contribution. */
export const withdrawContributions: NamedChange<WithdrawMessage, null, boolean> = {
  name: 'withdrawContributions',
  reads: ['labels', 'layers'],
  deciding: (message) => (draft) => {
    const { host } = draft;
    const given = host && layerOf(host, message.accountId);
    if (host === undefined || !isWithdrawn(host, given, message)) return false;
    const own = ownLabels(host);
    draft.change({ layers: host.layers.filter((layer) => layer !== given) });
    if (showLabels(draft, host, own, message)) {
      draft.change({ lastUpdate: message.at.getTime() });
      if (host.archive === null) draft.visible = true;
    }
    return true;
  },
};
