import { describe, expect, it } from 'vitest';
import type { AccountHosts, HostCountsOfDay, Storage } from '../ports/index.ts';
import { blue, minute, red } from './samples.ts';

export function countsOfDay(day: string, more: Partial<HostCountsOfDay> = {}): HostCountsOfDay {
  return { day, at: minute(1), accounts: [ofAccount(red.id, 12)], ...more };
}

function ofAccount(accountId: string | null, hosts: number): AccountHosts {
  return { accountId, hosts, objects: 3, archived: 1 };
}

export function describeHostCountStoreContract(fresh: () => Storage): void {
  describe('HostCountStore', () => {
    it('gives the counts of days from one on, oldest first', async () => {
      const { hostCounts } = fresh();
      const days = ['2026-01-10', '2025-12-31', '2026-01-02'];
      const accounts = [ofAccount(null, 2), ofAccount(blue.id, 0), ofAccount(red.id, 40)];
      for (const day of days) await hostCounts.keep(countsOfDay(day, { accounts }));
      const since = async (day: string) => (await hostCounts.since(day)).map((counts) => counts.day);
      expect(await since('2025-01-01')).toEqual(['2025-12-31', '2026-01-02', '2026-01-10']);
      expect(await since('2026-01-02')).toEqual(['2026-01-02', '2026-01-10']);
      expect(await since('2026-01-11')).toEqual([]);
      expect(await hostCounts.since('2026-01-03')).toEqual([countsOfDay('2026-01-10', { accounts })]);
    });

    it('keeps the last count of a day as a whole', async () => {
      const { hostCounts } = fresh();
      const day = '2026-01-02';
      await hostCounts.keep(countsOfDay(day, { accounts: [ofAccount(red.id, 1), ofAccount(blue.id, 2)] }));
      const last = countsOfDay(day, { at: minute(5), accounts: [ofAccount(red.id, 7)] });
      await hostCounts.keep(last);
      await hostCounts.keep(countsOfDay(day, { at: minute(4) }));
      expect(await hostCounts.since(day)).toEqual([last]);
      const again = countsOfDay(day, { at: minute(5), accounts: [] });
      await hostCounts.keep(again);
      expect(await hostCounts.since(day)).toEqual([again]);
    });

    it('keeps the last of many that are counted at once', async () => {
      const { hostCounts } = fresh();
      const counts = Array.from({ length: 20 }, (_, place) =>
        countsOfDay('2026-01-02', { at: minute(place), accounts: [ofAccount(red.id, place)] }),
      );
      await Promise.all(counts.toReversed().map((each) => hostCounts.keep(each)));
      expect(await hostCounts.since('2026-01-02')).toEqual([counts.at(-1)]);
    });

    it('deletes the days before one', async () => {
      const { hostCounts } = fresh();
      for (const day of ['2025-12-30', '2025-12-31', '2026-01-01']) await hostCounts.keep(countsOfDay(day));
      expect(await hostCounts.prune('2026-01-01')).toBe(2);
      expect(await hostCounts.prune('2026-01-01')).toBe(0);
      expect(await hostCounts.since('')).toEqual([countsOfDay('2026-01-01')]);
    });
  });
}
