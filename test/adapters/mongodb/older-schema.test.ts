import { afterEach, beforeEach, expect, it } from 'vitest';
import { mongodbStorage } from '../../../src/adapters/storage/mongodb/storage.ts';
import { saveNames } from '../../../src/testing/samples.ts';
import { textOfDatabase } from './database-text.ts';
import { dropDatabase, freshUrl, openStorage, silent, withRaw } from './harness.ts';

let url: string;
beforeEach(async () => {
  url = await freshUrl();
  const storage = openStorage(url);
  await storage.start();
  await saveNames(storage.hosts, ['alpha']);
  await storage.stop();
});
afterEach(() => dropDatabase(url));

async function refused(mayUpgrade: boolean): Promise<string> {
  const storage = mongodbStorage({ url, mayUpgrade })({ logger: silent });
  try {
    return await storage.start().then(
      () => 'started',
      (error: Error) => error.message,
    );
  } finally {
    await storage.stop();
  }
}

it.each([true, false])(
  'a database of before the first version is refused, unchanged (may upgrade: %j)',
  async (mayUpgrade) => {
    await withRaw(url, async (db) => {
      await db.collection('hosts').dropIndex('by_template');
      await db.collection<{ _id: string }>('control').updateOne({ _id: 'schema' }, { $set: { n: 1 } });
    });
    const before = await withRaw(url, textOfDatabase);
    expect(await refused(mayUpgrade)).toMatch(
      /is of an older version \(schema 1\).*commit [0-9a-f]{8} .*Nothing was changed/,
    );
    expect(await withRaw(url, textOfDatabase)).toBe(before);
  },
);

it('a database without an index of this version is brought up to date by those who may', async () => {
  const whole = await withRaw(url, textOfDatabase);
  await withRaw(url, (db) => db.collection('hosts').dropIndex('by_template'));
  expect(await refused(false)).toContain('muster storage upgrade');
  expect(await refused(true)).toBe('started');
  const indexes = (text: string) =>
    text
      .split('\n')
      .filter((line) => line.includes('"index"'))
      .sort();
  expect(indexes(await withRaw(url, textOfDatabase))).toEqual(indexes(whole));
});
