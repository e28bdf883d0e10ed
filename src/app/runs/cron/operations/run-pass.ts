import * as z from 'zod';
import { defineOperation } from '../../services.ts';

export const runCronPass = defineOperation({
  name: 'cron/run-pass',
  title: 'Cron pass',
  description: 'Runs the cron groups that are due, in their order, and answers when they are finished.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: {},
  input: z.object({}),
  output: z.object({
    groups: z.array(
      z.object({
        name: z.string(),
        state: z.enum(['done', 'failed', 'stopped']),
        message: z.string(),
        jobs: z.array(z.object({ name: z.string(), failed: z.boolean(), message: z.string() })),
      }),
    ),
  }),
  async run(_input, { services, signal }) {
    const stop = (): void => void services.cron.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const reports = await services.cron.runDue();
      return {
        groups: reports.map(({ group, state, message, jobs }) => ({
          name: group,
          state,
          message,
          jobs: jobs.map((job) => ({ name: job.name, failed: job.failed, message: job.message })),
        })),
      };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  },
});
