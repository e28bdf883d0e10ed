import * as z from 'zod';
import { runAutorulesPass } from '../autorules-pass.ts';
import { switchSchema } from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';

export const runAutorules = defineOperation({
  name: 'rules/run-autorules',
  title: 'Run autorules',
  description: 'Creates rules for hosts and objects from the autorules, like the cron job, and answers when finished.',
  effect: 'write',
  roles: ['rules'],
  acrossAccounts: true,
  weight: 'heavy',
  at: {
    rest: { path: 'POST /rules/autorules', body: 'optional', errors: ['failed', 'conflict', 'not_found', 'forbidden'] },
    tool: { name: 'run_autorules', idempotent: true },
    page: true,
  },
  input: z.object({
    debug: switchSchema.describe('Verbose output in the server log'),
    autorule: z.string().min(1).optional().describe('Name or id of the only autorule to run; absent: all of them'),
  }),
  output: z.object({ status: z.literal('ok') }),
  async run({ debug, autorule }, { services, signal, progress }) {
    await runAutorulesPass(services, { signal, verbose: debug, autorule, progress });
    return { status: 'ok' as const };
  },
});
