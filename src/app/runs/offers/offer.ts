import type { OfferedWork } from '../../../ports/index.ts';
import type { JobReport } from '../cron/job-runner.ts';

/** What a node needs to know of a job that another one offers. */
export interface OfferedJob {
  /** Id of the cron group's document. */
  readonly group: string;
  readonly groupName: string;
  readonly job: { readonly name: string; readonly command: string; readonly account: string };
  /** What the job's command means: how many of one kind a node runs at once is limited. */
  readonly kind: string;
  /** Name of the account. */
  readonly account: string;
  readonly runsAt: string;
  readonly causedBy?: string | undefined;
}

/** How often work is begun whose nodes die over it. */
export const MOST_ATTEMPTS = 3;

export function offeredJob({ body }: Pick<OfferedWork, 'body'>): OfferedJob {
  return JSON.parse(body) as OfferedJob;
}

export function reportOf(result: string): JobReport {
  return JSON.parse(result) as JobReport;
}

/** Whether a node may begin it now. */
export function isFree({ isOffered, isHeld, attempts, result }: OfferedWork): boolean {
  return isOffered && !isHeld && result === null && attempts < MOST_ATTEMPTS;
}
