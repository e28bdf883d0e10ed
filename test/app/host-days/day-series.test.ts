import { expect, it } from 'vitest';
import { daySeries } from '../../../src/app/host-days/decisions/day-series.ts';

const of = (accountId: string | null, hosts: number, archived = 0) => ({ accountId, hosts, objects: 0, archived });

it('sums up accounts, and begins where there is something', () => {
  const counted = [
    { day: '2026-01-01', accounts: [] },
    { day: '2026-01-02', accounts: [of('a', 3)] },
    { day: '2026-01-04', accounts: [of(null, 1), of('a', 4, 2), of('b', 5), of('gone', 6)] },
    { day: '2026-01-05', accounts: [] },
  ];
  const { days, accounts } = daySeries(
    counted,
    new Map([
      ['a', 'web'],
      ['b', 'db'],
    ]),
  );
  expect(days.map(({ day, hosts, archived }) => [day, hosts, archived])).toEqual([
    ['2026-01-02', 3, 0],
    ['2026-01-04', 16, 2],
    ['2026-01-05', 0, 0],
  ]);
  expect(accounts.map(({ account, hosts }) => [account, hosts])).toEqual([
    ['db', [0, 5, 0]],
    ['web', [3, 4, 0]],
    [null, [0, 7, 0]],
  ]);
  expect(daySeries([{ day: '2026-01-01', accounts: [] }], new Map())).toEqual({ days: [], accounts: [] });
});
