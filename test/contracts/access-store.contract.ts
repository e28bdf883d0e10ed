import { describe, expect, it } from 'vitest';
import type { Storage } from '../../src/ports/index.ts';
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
  });
}
