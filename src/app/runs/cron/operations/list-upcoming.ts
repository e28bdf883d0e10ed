import * as z from 'zod';
import { secondsOf } from '../../../../kit/words/moment.ts';
import { wholeAccountsOf } from '../../../kernel/caller.ts';
import { defineOperation } from '../../services.ts';
import { upcomingRuns } from '../decisions/schedule.ts';

const HOUR_MS = 60 * 60 * 1000;

export const listUpcomingRuns = defineOperation({
  name: 'cron/list-upcoming',
  title: 'Upcoming runs of cron groups',
  description: 'When each cron group starts by its schedule in the next hours.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: { page: true },
  input: z.object({ hours: z.number().int().min(1).max(168).default(24) }),
  output: z.object({
    from: z.string(),
    until: z.string(),
    groups: z.array(
      z.object({
        name: z.string(),
        jobs: z.array(z.string()),
        starts: z.array(z.string()).describe('The first 300'),
      }),
    ),
  }),
  async run({ hours }, { services, caller }) {
    const [groups, states] = await Promise.all([
      services.cronGroups.list(wholeAccountsOf(caller)),
      services.cron.states(),
    ]);
    const now = services.clock.now();
    const until = new Date(now.getTime() + hours * HOUR_MS);
    const timeZone = services.config.TIMEZONE;
    return {
      from: secondsOf(now),
      until: secondsOf(until),
      groups: groups.flatMap((group) => {
        const starts = upcomingRuns(group, states.get(group.id), { now, until, timeZone });
        if (starts.length === 0) return [];
        const jobs = group.jobs.map(({ name, command }) => name || command);
        return [{ name: group.name, jobs, starts: starts.map(secondsOf) }];
      }),
    };
  },
});
