import { describe, expect, it } from 'vitest';
import type { OwnedObject, Storage } from '../ports/index.ts';
import { blue, minute, red } from './samples.ts';

export function ownedObject(key: string, more: Partial<OwnedObject> = {}): OwnedObject {
  return {
    kind: 'device',
    key,
    remoteId: '17',
    hostname: 'web01',
    digest: 'd1',
    secrets: '',
    writtenAt: minute(1),
    pending: null,
    ...more,
  };
}

export function describeOwnershipStoreContract(fresh: () => Storage): void {
  describe('OwnershipStore', () => {
    const allOf = async (accountId: string, batchSize = 2): Promise<OwnedObject[]> => {
      const found: OwnedObject[] = [];
      for await (const batch of fresh().ownership.scan(accountId, batchSize)) {
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThanOrEqual(batchSize);
        found.push(...batch);
      }
      return found;
    };

    it('keeps objects by account, kind and key, and gives them in that order', async () => {
      const { ownership } = fresh();
      const objects = ['b', 'a', '\u{10ffff}', '\uffff', '$x.y'].map((key) => ownedObject(key));
      const pending = ownedObject('a', { kind: 'site', remoteId: null, pending: ['$a.b', '10'], secrets: 'sealed' });
      await ownership.save(red.id, [pending, ...objects]);
      await ownership.save(blue.id, [ownedObject('a')]);
      const order = ['$x.y', 'a', 'b', '\uffff', '\u{10ffff}'].map((key) => ownedObject(key));
      expect(await allOf(red.id)).toEqual([...order, pending]);
      expect(await allOf(red.id, 100)).toEqual([...order, pending]);
      expect(await ownership.count(red.id)).toBe(6);
      expect(await allOf('nobody')).toEqual([]);
    });

    it('replaces what has the same kind and key', async () => {
      const { ownership } = fresh();
      await ownership.save(red.id, [ownedObject('a', { remoteId: null, pending: ['x'] })]);
      const later = ownedObject('a', { remoteId: '18', digest: 'd2', hostname: 'web02', writtenAt: minute(2) });
      await ownership.save(red.id, [later]);
      await ownership.save(red.id, []);
      expect(await allOf(red.id)).toEqual([later]);
    });

    it('forgets single ones, and all of an account', async () => {
      const { ownership } = fresh();
      const site = ownedObject('a', { kind: 'site' });
      await ownership.save(red.id, [ownedObject('a'), ownedObject('b'), site]);
      await ownership.save(blue.id, [ownedObject('a')]);
      await ownership.remove(red.id, [
        { kind: 'device', key: 'a' },
        { kind: 'device', key: 'nobody' },
      ]);
      await ownership.remove(red.id, []);
      expect(await allOf(red.id)).toEqual([ownedObject('b'), site]);
      expect(await ownership.clear(red.id)).toBe(2);
      expect(await ownership.clear(red.id)).toBe(0);
      expect(await allOf(red.id)).toEqual([]);
      expect(await allOf(blue.id)).toEqual([ownedObject('a')]);
    });
  });
}
