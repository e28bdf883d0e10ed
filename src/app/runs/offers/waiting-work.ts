import * as z from 'zod';
import { secondsOf } from '../../../kit/words/moment.ts';
import type { OfferedWork, Storage } from '../../../ports/index.ts';
import { type Caller, wholeAccountsOf } from '../../kernel/caller.ts';
import { type OfferedJob, offeredJob } from './offer.ts';

export const waitingJobSchema = z
  .object({
    job: z.string().describe('As the cron group calls it'),
    account: z.string(),
    group: z.string().describe('The cron group that waits for its end'),
    runs_at: z.string().describe('Value that a node must have in TAKES; default: accounts without runs_at'),
    since: z.string(),
  })
  .meta({ title: 'Waiting job' });

export interface WaitingJob extends OfferedJob {
  readonly work: OfferedWork;
}

/** Jobs that nodes offer and that no node does yet, in the order in which nodes take them. */
export async function waitingJobs({ storage }: { readonly storage: Pick<Storage, 'work'> }): Promise<WaitingJob[]> {
  const works = await storage.work.list();
  return works
    .filter(({ isOffered, isHeld, result }) => isOffered && !isHeld && result === null)
    .map((work) => ({ ...offeredJob(work), work }));
}

/** For callers who see all accounts: groups may be about several. */
export async function visibleWaitingJobs(
  services: Parameters<typeof waitingJobs>[0],
  caller: Caller,
): Promise<z.infer<typeof waitingJobSchema>[]> {
  if (wholeAccountsOf(caller) !== null) return [];
  return (await waitingJobs(services)).map(({ job, account, groupName, runsAt, work }) => ({
    job: job.name || job.command,
    account,
    group: groupName,
    runs_at: runsAt,
    since: secondsOf(work.offeredAt),
  }));
}
