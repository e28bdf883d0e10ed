import * as z from 'zod';
import type { AccountHosts } from '../../../ports/index.ts';
import { dayOf, daysBefore, MOST_DAYS } from '../../hosts/host-counts.ts';
import { defineOperation } from '../../hosts/services.ts';
import { wholeAccountsOf } from '../../kernel/caller.ts';
import { columnNames } from '../../kernel/listing.ts';
import { daySeries } from '../decisions/day-series.ts';
import { DAY_COLUMNS, daysView } from '../views/days.ts';

const count = z.number().int();
const series = z.array(count);

export const listDays = defineOperation({
  name: 'hosts/list-days',
  title: 'Hosts day by day',
  description:
    'How many hosts and objects there were at the end of each day (UTC), in all and by account, and how many there are now.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: {
    page: true,
    rest: { path: 'GET /syncer/hosts/days', query: ['days', 'account'], errors: ['not_found'] },
    command: {
      words: 'host days',
      description: 'Show how many hosts there were at the end of each day.',
      options: {
        days: { flags: '--days <n>', description: 'how many days back', parse: { from: 1, to: MOST_DAYS } },
        account: { flags: '--account <name>', description: 'only hosts of this account' },
      },
      columns: columnNames(DAY_COLUMNS),
      json: 'answer the days as JSON, with the numbers of each account',
      examples: ['muster host days', 'muster host days --days 7 --account datacentre'],
      view: daysView,
    },
  },
  input: z.object({
    days: z.coerce.number().int().min(1).max(MOST_DAYS).default(90).describe('How many days back, with today'),
    account: z.string().trim().min(1).optional().describe('Only hosts of this account'),
  }),
  output: z.object({
    days: z
      .array(z.object({ day: z.string(), hosts: count, objects: count, archived: count }))
      .describe('Oldest first; days without a count are absent. The last one is today, as it is now'),
    accounts: z
      .array(
        z.object({
          account: z.string().nullable().describe('null: hosts whose account does not exist, or not any more'),
          hosts: series.describe('One number for each of the days'),
          objects: series,
          archived: series,
        }),
      )
      .describe('By name'),
  }),
  async run({ days, account }, { services, caller }) {
    const { storage, clock } = services;
    const reached = wholeAccountsOf(caller);
    const scope = account === undefined ? reached : [(await services.accounts.inScope(account, reached)).id];
    const now = clock.now();
    const today = dayOf(now);
    const [kept, counted, accounts] = await Promise.all([
      storage.hostCounts.since(daysBefore(now, days - 1)),
      storage.hosts.countByAccount(),
      services.accounts.list(scope),
    ]);
    const inScope = ({ accountId }: AccountHosts): boolean =>
      scope === null || (accountId !== null && scope.includes(accountId));
    const all = [...kept.filter(({ day }) => day < today), { day: today, accounts: counted }];
    return daySeries(
      all.map(({ day, accounts: of }) => ({ day, accounts: of.filter(inScope) })),
      new Map(accounts.map(({ id, name }) => [id, name])),
    );
  },
});
