import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { flag } from '../../../../kit/options/values.ts';
import { worded } from '../../../../kit/worded.ts';
import { plainSecondsOf } from '../../../../kit/words/moment.ts';
import { AppError } from '../../../../ports/index.ts';
import { defineOperation } from '../../services.ts';
import type { CronEngine } from '../cron-engine.ts';
import type { CronGroup } from '../decisions/group.ts';
import { isPaused } from '../decisions/schedule.ts';
import { groupReportAnswer, groupReportSchema } from '../group-report.ts';
import type { GroupReport } from '../group-run.ts';
import { requestRun, requireGroup } from '../request-run.ts';

/** A request that has just been noted is seen by the next reading of the groups. */
const MOST_TRIES = 5;
const TRY_AGAIN_MS = 200;

export const runCronGroup = defineOperation({
  name: 'cron/run-group',
  title: 'Run a cron group now',
  description:
    'Runs a cron group at once, outside its schedule and window, and answers when it has ended. It continues when the caller does not wait. One that is paused runs only with despite_pause.',
  effect: 'write',
  roles: ['syncer'],
  weight: 'light',
  at: {
    page: true,
    rest: {
      path: 'POST /syncer/cron/run/:group_name',
      query: ['despite_pause'],
      errors: ['read_only', 'not_found', 'conflict'],
    },
  },
  input: z.object({
    group_name: z.string().min(1).describe('Name of the cron group'),
    despite_pause: flag().default(false).describe('True runs it although it is paused'),
    waits: z.boolean().default(true).describe('False answers as soon as the run is requested'),
  }),
  output: groupReportSchema.extend({ state: z.enum(['done', 'failed', 'stopped', 'started']) }),
  subject: (input) => input.group_name,
  async run({ group_name, despite_pause, waits }, { services, caller, signal }) {
    const { cron, logger } = services;
    const group = await requireGroup(services, caller, group_name);
    if (!group.enabled) {
      throw new AppError('conflict', worded`cron group ${{ name: group.name }} is disabled; enable it first`);
    }
    if (!despite_pause && group.pausedUntil !== null && isPaused(group, services.clock.now())) {
      const until = plainSecondsOf(group.pausedUntil);
      throw new AppError(
        'conflict',
        worded`cron group ${{ name: group.name }} is paused until ${{ until }} UTC; end the pause, or run it despite that`,
      );
    }
    const state = (await cron.states()).get(group.id);
    if (state?.isHeld) {
      const since = plainSecondsOf(state.lastStart);
      throw new AppError(
        'conflict',
        worded`cron group ${{ name: group.name }} is running since ${{ since }} UTC; wait until it ends`,
      );
    }
    await requestRun(services, caller, group, true);
    if (!waits) {
      reportOf(cron, group, despite_pause).catch((error: unknown) =>
        logger.error('a cron group could not be run', { group: group.name, error }),
      );
      return { name: group.name, state: 'started' as const, message: '', jobs: [] };
    }
    // At the command line the run belongs to this process and ends with it; a service continues without its caller.
    const stop = (): void => void (caller.entrance === 'cli' && cron.stop());
    signal.addEventListener('abort', stop, { once: true });
    try {
      const report = await Promise.race([reportOf(cron, group, despite_pause), aborted(signal)]);
      if (report !== undefined) return groupReportAnswer(report);
    } finally {
      signal.removeEventListener('abort', stop);
    }
    throw new AppError(
      'conflict',
      worded`another node runs cron group ${{ name: group.name }}; "muster cron status" shows how it ends`,
    );
  },
});

async function reportOf(cron: CronEngine, group: CronGroup, despitePause: boolean): Promise<GroupReport | undefined> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const report = await cron.runNow(group, despitePause);
    if (report !== undefined) return report;
    if ((await cron.states()).get(group.id)?.isHeld) return undefined;
    await setTimeout(TRY_AGAIN_MS);
  }
  return undefined;
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
