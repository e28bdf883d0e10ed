import { MongoClient } from 'mongodb';
import { afterEach, expect, it } from 'vitest';
import { kindOf } from '../../../src/adapters/storage/mongodb/session.ts';
import { saveNames } from '../../../src/testing/samples.ts';
import { type MongodbServer, startMongodbServer } from '../../support/mongodb-server.ts';
import { openNoted } from './commands.ts';
import { dropDatabase, freshUrl, openStorage, withDatabase, withRaw } from './harness.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

async function serverOf(replicaSet: boolean): Promise<{ readonly url: string; readonly kind: string }> {
  const server: MongodbServer = await startMongodbServer({ replicaSet });
  undo.push(() => server.stop());
  const client = await MongoClient.connect(server.url);
  undo.push(() => client.close());
  const url = withDatabase(server.url, `muster_indexes_${process.pid}`);
  undo.push(() => client.db(`muster_indexes_${process.pid}`).dropDatabase());
  return { url, kind: kindOf(await client.db('admin').command({ hello: 1 })) };
}

it.each([true, false])(
  'an index waits for most members of a replica set, and not for one that is down (set: %j)',
  async (isSet) => {
    const { url, kind } = await serverOf(isSet);
    const { storage, sent } = await openNoted(url);
    undo.push(() => storage.stop());
    const made = sent.filter(({ name }) => name === 'createIndexes');
    expect(made.length).toBeGreaterThan(5);
    const expected = kind.startsWith('replica set') ? 'majority' : undefined;
    expect(new Set(made.map(({ command }) => command.commitQuorum))).toEqual(new Set([expected]));
  },
);

it('hosts are counted by account while the index for it is made anew', async () => {
  const url = await freshUrl();
  const storage = openStorage(url);
  undo.push(
    () => dropDatabase(url),
    () => storage.stop(),
  );
  await storage.start();
  await saveNames(storage.hosts, ['alpha', 'beta']);
  const counted = await storage.hosts.countByAccount();
  await withRaw(url, (db) => db.collection('hosts').dropIndex('by_account'));
  expect(await storage.hosts.countByAccount()).toEqual(counted);
  expect(counted).toHaveLength(1);
});
