import type { OfferedWork } from '../../../ports/index.ts';
import type { JobReport } from '../cron/job-runner.ts';

/** The data a node needs about a job that another node offers. */
export interface OfferedJob {
  /** Id of the cron group's document. */
  readonly group: string;
  readonly groupName: string;
  readonly job: { readonly name: string; readonly command: string; readonly account: string };
  /** The kind of the job's command: a node limits how many of one kind run at once. */
  readonly kind: string;
  /** Name of the account. */
  readonly account: string;
  readonly runsAt: string;
  readonly causedBy?: string | undefined;
}

/** How often work is begun whose nodes die over it. */
export const MOST_ATTEMPTS = 3;
/** How long such work rests before it is begun again: a minute the second time. */
const REST_MS = 15_000;
const REST_GROWS = 4;

/** How long work rests if the node that begins it now dies over it. Once no other node may begin it, that can be said at once. */
export function restMs({ attempts }: Pick<OfferedWork, 'attempts'>): number {
  return attempts + 1 < MOST_ATTEMPTS ? REST_MS * REST_GROWS ** attempts : 0;
}

export function offeredJob({ body }: Pick<OfferedWork, 'body'>): OfferedJob {
  return JSON.parse(body) as OfferedJob;
}

export function reportOf(result: string): JobReport {
  return JSON.parse(result) as JobReport;
}

/** Whether a node may begin it now. */
export function isFree({ isOffered, isHeld, isResting, attempts, result }: OfferedWork): boolean {
  return isOffered && !isHeld && !isResting && result === null && attempts < MOST_ATTEMPTS;
}
