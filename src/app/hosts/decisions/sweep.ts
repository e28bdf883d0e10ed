import type { SweepResult, UnseenSweep } from '../../../ports/index.ts';
import type { HostState } from './host-state.ts';
import { isAboveThreshold } from './threshold.ts';

/** How many hosts a sweep names. */
const SAMPLE = 20;

/** Whether a run that has seen all of its source's hosts missed this one. */
export function isUnseen(
  host: Pick<HostState, 'accountId' | 'archive' | 'lastSeen' | 'runId'>,
  sweep: Pick<UnseenSweep, 'accountId' | 'runId'> & { readonly seenBefore: number },
): boolean {
  if (host.archive !== null || host.accountId !== sweep.accountId || host.runId === sweep.runId) return false;
  return host.lastSeen === null || host.lastSeen < sweep.seenBefore;
}

/**
 * Decides on the hosts that a run did not see, by hostname: all of them are archived, or none if they are a larger share of the
 * account's hosts than the threshold allows.
 */
export function sweepDecision({
  candidates,
  activeBefore,
  thresholdPercent,
  preview = false,
}: Pick<UnseenSweep, 'activeBefore' | 'thresholdPercent' | 'preview'> & {
  readonly candidates: readonly string[];
}): SweepResult {
  const count = candidates.length;
  const refused = isAboveThreshold(count, activeBefore, thresholdPercent);
  return { candidates: count, archived: refused || preview ? 0 : count, refused, sample: candidates.slice(0, SAMPLE) };
}
