import * as z from 'zod';
import { defineOperation } from '../../services.ts';

export const listCronJobs = defineOperation({
  name: 'cron/list-jobs',
  title: 'Registered jobs',
  description: 'The jobs that cron groups can run, with what each does.',
  effect: 'read',
  roles: ['syncer', 'rules'],
  weight: 'light',
  at: { page: true },
  input: z.object({}),
  output: z.object({
    jobs: z.array(
      z.object({
        command: z.string(),
        description: z.string(),
        needs_account: z.boolean().describe('Whether the job works with an account'),
      }),
    ),
    time_zone: z.string().describe('Time zone of the hours of groups'),
  }),
  async run(_input, { services }) {
    return {
      jobs: services.plugins.jobs().map(({ id, description, account }) => ({
        command: id,
        description,
        needs_account: account === 'required',
      })),
      time_zone: services.config.TIMEZONE,
    };
  },
});
