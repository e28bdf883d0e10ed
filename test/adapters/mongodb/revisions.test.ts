import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, MongoNetworkTimeoutError } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRevisionKeeper } from '../../../src/adapters/storage/mongodb/revisions.ts';
import { type Database, openDatabase } from '../../../src/adapters/storage/mongodb/schema.ts';
import { dropDatabase, freshUrl, silent } from './harness.ts';

let url: string;
let client: MongoClient;
let database: Database;

beforeEach(async () => {
  url = await freshUrl();
  client = await MongoClient.connect(url);
  database = openDatabase(client.db());
});

afterEach(async () => {
  vi.restoreAllMocks();
  await client.close();
  await dropDatabase(url);
});

/** A sign of writing that is asked for and gets no answer, or an error after a while. The next one is answered. */
function stuckSign(failsAfterMs?: number): void {
  vi.spyOn(database.control, 'updateOne').mockImplementationOnce(async () => {
    await (failsAfterMs === undefined ? new Promise(() => undefined) : sleep(failsAfterMs));
    throw new MongoNetworkTimeoutError('timed out');
  });
}

describe('MongoDB: calls that come while another one gets no answer', () => {
  it('do not fail with it', async () => {
    const keeper = createRevisionKeeper(10_000, silent);
    stuckSign(50);
    const failed = expect(keeper.changingHosts(database, (announce) => announce())).rejects.toThrow('timed out');
    await sleep(10);
    const others = [1, 2, 3].map(() => keeper.changingHosts(database, (announce) => announce()));
    await failed;
    await Promise.all(others);
    expect(await database.control.countDocuments({ kind: 'writer' })).toBe(1);
    await keeper.close(database);
  });

  it('do not wait for a sign that is never put up', async () => {
    const keeper = createRevisionKeeper(10_000, silent);
    stuckSign();
    void keeper.changingHosts(database, (announce) => announce());
    await Promise.all([1, 2, 3].map(() => keeper.changingHosts(database, (announce) => announce())));
    expect(await database.control.countDocuments({ kind: 'writer' })).toBe(1);
  });

  it('do not wait for a revision that is never moved', async () => {
    const keeper = createRevisionKeeper(10_000, silent);
    vi.spyOn(database.control, 'bulkWrite').mockImplementationOnce(() => new Promise(() => undefined));
    void keeper.bump(database, ['rules/a']);
    await Promise.all([1, 2, 3].map(() => keeper.bump(database, ['hosts'])));
    expect((await keeper.read(database)).revisions.get('hosts')).toBe(1);
  });
});
