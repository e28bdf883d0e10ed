import * as z from 'zod';
import { defineOperation } from '../../services.ts';
import { requestRun, requireGroup } from '../request-run.ts';

export const setCronRunOnceNext = defineOperation({
  name: 'cron/set-run-once-next',
  title: 'Run a cron group on the next pass',
  description: 'Sets or clears the flag that runs a cron group on the next pass, outside its schedule.',
  effect: 'write',
  roles: ['syncer'],
  weight: 'light',
  at: {
    rest: { path: 'POST /syncer/cron/', body: 'required', errors: ['read_only', 'not_found', 'conflict'] },
    page: true,
  },
  input: z.object({
    job_name: z.string().min(1).describe('Name of the cron group'),
    run_once_next: z.boolean(),
  }),
  output: z.object({ status: z.literal('saved') }),
  subject: (input) => input.job_name,
  async run({ job_name, run_once_next }, { services, caller }) {
    await requestRun(services, caller, await requireGroup(services, caller, job_name), run_once_next);
    return { status: 'saved' as const };
  },
});
