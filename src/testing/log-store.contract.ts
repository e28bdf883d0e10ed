import { describe, expect, it } from 'vitest';
import type { LogEntry, Storage } from '../ports/index.ts';
import { minute, ruleId } from './samples.ts';

function entry(id: number, at: number, source = 'API', more: Partial<LogEntry> = {}): LogEntry {
  return { id: ruleId(id), at: minute(at), message: `entry ${id}`, source, details: [], hasError: false, ...more };
}

export function describeLogStoreContract(fresh: () => Storage): void {
  describe('LogStore', () => {
    it('gives entries back as they went in', async () => {
      const { logs } = fresh();
      const full = entry(1, 1, 'import "\u{1f600}"', {
        message: "it's '; DROP TABLE --",
        wording: { template: "it's {what}", values: { what: "'; DROP TABLE --" } },
        details: [
          { level: 'error', message: 'x\ny' },
          {
            level: 'info',
            message: '2 records: 1,200 ms',
            wording: {
              template: '{records}: {milliseconds} ms',
              values: {
                records: { text: '2 records', template: '{count} records', values: { count: 2 } },
                milliseconds: 1200,
              },
            },
            counts: { created: 2, 'not a name': 0 },
            milliseconds: 1200,
          },
          { level: 'debug', message: '', incomplete: { since: '2026-01-01T00:00:00Z', runs: 2, lastComplete: null } },
          {
            level: 'info',
            message: 'b',
            bookmark: { text: '17', wholeAt: '2026-01-01T00:00:00Z', account: 'a' },
            undid: { id: 'a'.repeat(24), at: '2026-01-01T00:00:00.000Z', lastComplete: null },
            plan: 'b'.repeat(24),
            began: 'then',
          },
        ],
        hasError: true,
      });
      await logs.append(full);
      expect(await logs.latest({ limit: 10 })).toEqual([full]);
    });

    it('gives the newest first, by time, then id descending', async () => {
      const { logs } = fresh();
      for (const item of [entry(2, 5), entry(1, 9), entry(3, 5), entry(4, 1)]) await logs.append(item);
      expect((await logs.latest({ limit: 10 })).map((item) => item.id)).toEqual([1, 3, 2, 4].map(ruleId));
      expect((await logs.latest({ limit: 2 })).map((item) => item.id)).toEqual([1, 3].map(ruleId));
      expect(await logs.latest({ limit: 0 })).toEqual([]);
    });

    it('filters by the whole source', async () => {
      const { logs } = fresh();
      for (const item of [entry(1, 1, 'API'), entry(2, 2, 'api'), entry(3, 3, 'API2'), entry(4, 4, 'API')])
        await logs.append(item);
      expect((await logs.latest({ limit: 10, source: 'API' })).map((item) => item.id)).toEqual([4, 1].map(ruleId));
      expect(await logs.latest({ limit: 10, source: 'A%' })).toEqual([]);
    });

    it('goes on before a place, whether an entry is there or not', async () => {
      const { logs } = fresh();
      for (const item of [entry(2, 5), entry(1, 9), entry(3, 5, 'job'), entry(4, 1), entry(5, 5)])
        await logs.append(item);
      const idsBefore = async (id: number, at: number, source?: string) =>
        (await logs.latest({ limit: 10, before: { at: minute(at), id: ruleId(id) }, ...(source && { source }) })).map(
          (item) => item.id,
        );
      expect(await idsBefore(9, 5)).toEqual([5, 3, 2, 4].map(ruleId));
      expect(await idsBefore(3, 5)).toEqual([2, 4].map(ruleId));
      expect(await idsBefore(5, 5, 'API')).toEqual([2, 4].map(ruleId));
      expect(await idsBefore(4, 1)).toEqual([]);
      expect(await idsBefore(1, 2)).toEqual([ruleId(4)]);
    });

    it('names the newest entry of every source, by source', async () => {
      const { logs } = fresh();
      expect(await logs.newestBySource()).toEqual([]);
      const failed = entry(2, 5, 'b', {
        hasError: true,
        wording: { template: 'entry {id}', values: { id: 2 } },
        details: [{ level: 'error', message: 'x' }],
      });
      for (const item of [entry(1, 5, 'b'), failed, entry(3, 1, 'b'), entry(4, 1, 'B'), entry(5, 1, '\u{1f600}')]) {
        await logs.append(item);
      }
      await logs.append(entry(6, 1, '\uff5e'));
      const { details: _, ...head } = failed;
      const newest = await logs.newestBySource();
      expect(newest.map((item) => item.source)).toEqual(['B', 'b', '\uff5e', '\u{1f600}']);
      expect(newest[1]).toEqual(head);
    });

    it('prunes what is older, but never the newest entry of a source', async () => {
      const { logs } = fresh();
      for (const item of [entry(1, 1, 'a'), entry(2, 2, 'a'), entry(3, 1, 'b'), entry(4, 9, 'c'), entry(5, 1, 'c')]) {
        await logs.append(item);
      }
      expect(await logs.prune(minute(5))).toBe(2);
      expect((await logs.latest({ limit: 10 })).map((item) => item.id)).toEqual([4, 2, 3].map(ruleId));
      expect(await logs.prune(minute(9))).toBe(0);
    });
  });
}
