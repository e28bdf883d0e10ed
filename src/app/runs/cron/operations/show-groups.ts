import * as z from 'zod';
import { defineOperation } from '../../../kernel/operation.ts';
import { groupOverview, groupOverviewSchema } from '../group-overview.ts';

export const showCronGroups = defineOperation({
  name: 'cron/show-groups',
  title: 'Cron groups',
  description: 'How each cron group stands, with its schedule and what starts it besides.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: { page: true },
  input: z.object({}),
  output: z.object({ groups: z.array(groupOverviewSchema) }),
  async run(_input, { services, caller }) {
    const [groups, states] = await Promise.all([services.cronGroups.list(caller.scope), services.cron.states()]);
    return { groups: groups.map((group) => groupOverview(group, states.get(group.id))) };
  },
});
