import type { ContributionOutcome, ContributionWrite } from '../../../ports/index.ts';
import { sameJson } from '../../kernel/json/json-text.ts';
import type { HostState } from './host-state.ts';
import type { HostLayer } from './label-layers.ts';

/** An account that owns the host by now gives the owner's labels; every other one contributes. */
export type Giver = 'owner' | 'contributor';

/** What costs a store reading, so that it is asked only where something depends on it. */
export interface ContributionLookup {
  /** What the account contributes so far. */
  given(): Pick<HostLayer, 'precedence' | 'labels' | 'at' | 'runId'> | undefined;
  /** The owner's labels. */
  own(): string;
  /** Whether the host would be too large with the new labels in the place of what the account gives so far. */
  tooLarge(as: Giver): boolean;
}

export interface ContributionDecision {
  readonly outcome: ContributionOutcome;
  /**
   * What the run writes: as whom the account gives, and since when. Where the outcome is `unchanged` only run and time are
   * noted. Absent where the host is left alone.
   */
  readonly gives?: { readonly as: Giver; readonly at: number };
}

/** What becomes of the labels that an account gives a host which is there. */
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
  /** The run that ended; `null` takes everything back, from archived hosts too. */
  readonly runId: string | null;
  /** What was given since then stays; `null` for no limit. */
  readonly seenBefore: number | null;
}

/** Whether a host loses what an account contributed. What an owner gives is no contribution. */
export function isWithdrawn(
  host: Pick<HostState, 'archive'>,
  given: Pick<HostLayer, 'owner' | 'at' | 'runId'> | undefined,
  { runId, seenBefore }: Withdrawal,
): boolean {
  if (given === undefined || given.owner) return false;
  if (runId !== null && (given.runId === runId || host.archive !== null)) return false;
  return seenBefore === null || given.at < seenBefore;
}
