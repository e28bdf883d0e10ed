import { describe, expect, it } from 'vitest';
import type { LogEntry, Storage } from '../../src/ports/index.ts';
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
        details: [
          { level: 'error', message: 'x\ny' },
          { level: 'debug', message: '' },
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
