import { describe, expect, it } from 'vitest';
import type { Storage } from '../ports/index.ts';
import { minute } from './samples.ts';

export function describeAccessStoreContract(fresh: () => Storage): void {
  describe('AccessStore', () => {
    it('remembers last uses; tokens never used are absent', async () => {
      const { access } = fresh();
      await access.recordTokenUse([
        { tokenId: 'a', at: minute(1) },
        { tokenId: '__proto__', at: minute(2) },
      ]);
      await access.recordTokenUse([]);
      expect(await access.tokenUses(['a', '__proto__', 'never'])).toEqual(
        new Map([
          ['a', minute(1)],
          ['__proto__', minute(2)],
        ]),
      );
      expect(await access.tokenUses([])).toEqual(new Map());
    });

    it('ignores older times, in one call and in many', async () => {
      const { access } = fresh();
      await access.recordTokenUse([
        { tokenId: 'a', at: minute(5) },
        { tokenId: 'a', at: minute(4) },
      ]);
      await access.recordTokenUse([{ tokenId: 'a', at: minute(3) }]);
      expect((await access.tokenUses(['a'])).get('a')).toEqual(minute(5));
      await Promise.all([9, 7, 8].map((n) => access.recordTokenUse([{ tokenId: 'a', at: minute(n) }])));
      expect((await access.tokenUses(['a'])).get('a')).toEqual(minute(9));
    });

    it('lets something be used once until its date, and remembers the first date', async () => {
      const { access } = fresh();
      const use = (key: string, now: number, until: number) =>
        access.useOnce({ key, now: minute(now), until: minute(until) });
      expect(await use('a', 1, 5)).toBe(true);
      expect(await use('a', 2, 9)).toBe(false);
      expect(await use('b', 2, 9)).toBe(true);
      expect(await use('__proto__', 2, 9)).toBe(true);
      expect(await use('__proto__', 2, 9)).toBe(false);
      expect(await use('a', 5, 9)).toBe(false);
      expect(await use('a', 6, 8)).toBe(true);
      expect(await use('b', 7, 9)).toBe(false);
      expect(await use('a', 8, 20)).toBe(false);
    });

    it('forgets to the millisecond what ran out', async () => {
      const { access } = fresh();
      const until = minute(5);
      const before = new Date(until.getTime() - 1);
      const behind = new Date(until.getTime() + 1);
      expect(await access.useOnce({ key: 'a', now: minute(1), until })).toBe(true);
      expect(await access.useOnce({ key: 'a', now: before, until: minute(9) })).toBe(false);
      expect(await access.useOnce({ key: 'a', now: until, until: minute(9) })).toBe(false);
      expect(await access.useOnce({ key: 'a', now: behind, until: minute(9) })).toBe(true);
    });

    it('gives it to one of many who call at once, the first time and after it ran out', async () => {
      const { access } = fresh();
      for (const number of [1, 20]) {
        const request = { key: 'a $', now: minute(number), until: minute(number + 5) };
        const answers = await Promise.all(Array.from({ length: 20 }, () => access.useOnce(request)));
        expect(answers.filter((first) => first).length).toBe(1);
      }
    });
  });
}
