import * as z from 'zod';
import { defineOperation } from '../../services.ts';
import { groupReportAnswer, groupReportSchema } from '../group-report.ts';

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
    groups: z.array(groupReportSchema),
  }),
  async run(_input, { services, signal }) {
    const stop = (): void => void services.cron.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const reports = await services.cron.runDue();
      return {
        groups: reports.map(groupReportAnswer),
      };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  },
});
