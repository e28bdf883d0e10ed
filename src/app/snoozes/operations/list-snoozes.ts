import * as z from 'zod';
import { defineOperation } from '../../runs/services.ts';
import { snoozeSchema, snoozesFor } from '../snooze.ts';

export const listSnoozes = defineOperation({
  name: 'snoozes/list-snoozes',
  title: 'Snoozed problems',
  description: 'Problems that are kept off the overview, by whom and until when.',
  effect: 'read',
  roles: ['syncer', 'rules', 'admin', 'administrator'],
  weight: 'light',
  at: { page: true },
  input: z.object({}),
  output: z.object({ snoozes: z.array(snoozeSchema) }),
  async run(_input, { services, caller }) {
    return { snoozes: [...(await snoozesFor(services, caller))] };
  },
});
