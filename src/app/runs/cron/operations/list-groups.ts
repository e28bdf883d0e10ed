import * as z from 'zod';
import { momentsFor } from '../../../journal/moments.ts';
import { wholeAccountsOf } from '../../../kernel/caller.ts';
import { columnNames } from '../../../kernel/listing.ts';
import { defineOperation } from '../../services.ts';
import { groupOverview, groupOverviewSchema } from '../group-overview.ts';
import { groupStatusSchema, statusOf } from '../group-status.ts';
import { GROUP_COLUMNS, groupsView } from '../views/groups.ts';

export const listCronGroups = defineOperation({
  name: 'cron/list-groups',
  title: 'Status of cron groups',
  description: 'Status of each cron group: last start, next run, and the message of its last run.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: {
    command: {
      words: 'cron status',
      description:
        'Show the status of each cron group: whether it runs, its last start and next run in UTC, its schedule in hours of TIMEZONE, what its webhook requires, and the message of its last run.',
      summary: 'show the status of the cron groups',
      columns: columnNames(GROUP_COLUMNS),
      json: 'answer a JSON array of groups',
      answered: ({ groups }) => groups,
      examples: ['muster cron status', "muster cron status --json | jq '.[] | select(.has_error)'"],
      view: groupsView,
    },
    rest: {
      path: 'GET /syncer/cron/',
      answer: ({ groups }) => ({ result: groups.map(statusOf) }),
      output: z.object({ result: z.array(groupStatusSchema) }),
    },
    tool: { name: 'get_cron_status' },
    page: true,
  },
  input: z.object({}),
  output: z.object({ groups: z.array(groupOverviewSchema) }),
  async run(_input, { services, caller }) {
    const [groups, states] = await Promise.all([
      services.cronGroups.list(wholeAccountsOf(caller)),
      services.cron.states(),
    ]);
    const times = {
      now: services.clock.now(),
      timeZone: services.config.TIMEZONE,
      written: momentsFor(services.config, caller),
    };
    return { groups: groups.map((group) => groupOverview(group, states.get(group.id), times)) };
  },
});
