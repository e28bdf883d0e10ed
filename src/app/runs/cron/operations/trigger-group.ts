import * as z from 'zod';
import { defineOperation } from '../../services.ts';
import { requestRun, requireGroup } from '../request-run.ts';
import { triggerAnswer, triggerAnswerSchema } from '../trigger-answer.ts';

export const triggerCronGroup = defineOperation({
  name: 'cron/trigger-group',
  title: 'Trigger a cron group',
  description:
    'Makes a cron group run once on the next cron pass, outside its schedule; while it is paused, on the first pass after that.',
  effect: 'write',
  roles: ['syncer'],
  weight: 'light',
  at: {
    command: {
      words: 'cron trigger',
      description: 'Make a cron group run on the next pass, whatever its schedule says.',
      arguments: { group_name: { shown: '<group>', description: 'name of the cron group' } },
      json: 'answer the outcome as JSON',
      examples: ['muster cron trigger nightly'],
      view: ({ note }, print, { group_name }) =>
        print.note(
          `Triggered ${group_name}: ${note}. A running service passes by itself, "muster cron run" passes now.`,
        ),
    },
    tool: { name: 'trigger_cron_group' },
    page: true,
  },
  input: z.object({ group_name: z.string().min(1).describe('Name of the cron group; see get_cron_status') }),
  output: triggerAnswerSchema,
  subject: (input) => input.group_name,
  async run({ group_name }, { services, caller }) {
    const group = await requireGroup(services, caller, group_name);
    await requestRun(services, caller, group, true);
    return triggerAnswer(group, services.clock.now());
  },
});
