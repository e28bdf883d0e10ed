import { expect, it } from 'vitest';
import { unseenOf } from '../../../src/adapters/storage/mongodb/host-sweeps.ts';
import { dropDatabase, freshUrl, openStorage, withRaw } from './harness.ts';

/** A server gives names in the order of an index where values are given for all that the index has before the name. */
it('what an import did not see is named by the values of the index of its account', async () => {
  const url = await freshUrl();
  const storage = openStorage(url);
  try {
    await storage.start();
    const indexes = await withRaw(url, (db) => db.collection('hosts').indexes());
    const [name, ...before] = Object.keys(indexes.find((index) => index.name === 'by_account')?.key ?? {}).reverse();
    expect(name).toBe('_id');
    expect(unseenOf({ accountId: 'a', runId: 'r', seenBefore: new Date(0) })).toMatchObject({
      account: 'a',
      archived: false,
      isObject: { $in: [false, true] },
    });
    expect(before.sort()).toEqual(['account', 'archived', 'isObject']);
  } finally {
    await storage.stop();
    await dropDatabase(url);
  }
});
