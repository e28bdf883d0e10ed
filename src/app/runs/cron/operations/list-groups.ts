import * as z from 'zod';
import { defineOperation } from '../../../kernel/operation.ts';
import { groupStatus, groupStatusSchema } from '../group-status.ts';

export const listCronGroups = defineOperation({
  name: 'cron/list-groups',
  title: 'Status of cron groups',
  description: 'How each cron group stands: last start, next run, and what its last run said.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: { rest: { path: 'GET /syncer/cron/' }, tool: { name: 'get_cron_status' } },
  input: z.object({}),
  output: z.object({ result: z.array(groupStatusSchema) }),
  async run(_input, { services, caller }) {
    const [groups, states] = await Promise.all([services.cronGroups.list(caller.scope), services.cron.states()]);
    return { result: groups.map((group) => groupStatus(group, states.get(group.id))) };
  },
});
