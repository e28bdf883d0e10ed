import * as z from 'zod';
import { switchSchema } from '../../rules/rule-type-input.ts';
import { defineOperation } from '../../rules/services.ts';
import { runAutorulesPass } from '../autorules-pass.ts';

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
    command: {
      words: 'rules autorules',
      description:
        'Make rules for hosts and objects from the autorules, as the cron job does. What it made is in the log.',
      summary: 'make rules for hosts and objects from the autorules',
      options: {
        debug: { flags: '--debug', description: 'show what each autorule did to each host' },
        autorule: { flags: '--autorule <name>', description: 'run only this one, by name or id' },
      },
      logsMore: 'debug',
      progress: () => 'Running autorules',
      json: 'answer the outcome as JSON',
      examples: ['muster rules autorules', 'muster rules autorules --autorule "Site rules"', 'muster logs --limit 1'],
      view: (_, print) => print.note('The autorules ran. What they did: muster logs --limit 1'),
    },
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
