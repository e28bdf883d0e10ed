import { randomUUID } from 'node:crypto';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedMongodbUrl } from './shared-databases.ts';

// What the storage adapter relies on. Where a server fails here, the adapter's tests say nothing about the adapter.
describe('the MongoDB server of the tests', () => {
  let client: MongoClient;
  let database: Db;

  beforeAll(async () => {
    client = await MongoClient.connect(await sharedMongodbUrl());
    database = client.db(`muster-test-${randomUUID()}`);
  });

  afterAll(async () => {
    await database?.dropDatabase();
    await client?.close();
  });

  it('refuses a second document under a unique index, and only where a partial one covers it', async () => {
    const hosts = database.collection('unique');
    await hosts.createIndex({ name: 1 }, { unique: true, partialFilterExpression: { archived: false } });
    await hosts.insertOne({ name: 'a', archived: false });
    await hosts.insertOne({ name: 'a', archived: true });
    await expect(hosts.insertOne({ name: 'a', archived: false })).rejects.toMatchObject({ code: 11000 });
  });

  it('says of every upsert in a bulk what it did', async () => {
    const hosts = database.collection<{ _id: string; rev: number }>('bulk');
    await hosts.insertOne({ _id: 'a', rev: 1 });
    const upsert = (id: string) => ({
      updateOne: { filter: { _id: id }, update: { $set: { rev: 2 } }, upsert: true },
    });
    const result = await hosts.bulkWrite([upsert('a'), upsert('b')], { ordered: false });
    expect(result).toMatchObject({ matchedCount: 1, modifiedCount: 1, upsertedCount: 1, upsertedIds: { 1: 'b' } });
  });

  it('lets exactly one of many callers win a compare-and-set', async () => {
    const groups = database.collection<{ _id: string; rev: number }>('claims');
    await groups.insertOne({ _id: 'g', rev: 1 });
    const claim = () =>
      groups.findOneAndUpdate({ _id: 'g', rev: 1 }, { $inc: { rev: 1 } }, { returnDocument: 'after' });
    const claims = await Promise.all(Array.from({ length: 20 }, claim));
    expect(claims.filter((winner) => winner !== null)).toEqual([{ _id: 'g', rev: 2 }]);
  });

  it('gives keys with dots, dollars and digits back as they went in', async () => {
    const document = { '10': 1, 'app.kubernetes.io/name': 2, $set: 3, ü: { '2': 4, a: [5, null, true] } };
    const documents = database.collection('keys');
    await documents.insertOne({ document });
    const found = await documents.findOne({}, { projection: { _id: 0 } });
    expect(found).toEqual({ document });
  });

  it('orders text by bytes and pages by range', async () => {
    const hosts = database.collection('order');
    await hosts.createIndex({ name: 1 });
    await hosts.insertMany(['b', 'é', 'B', 'a', 'ab'].map((name) => ({ name })));
    const names = await hosts
      .find({ name: { $gt: 'B' } })
      .sort({ name: 1 })
      .limit(3)
      .toArray();
    expect(names.map(({ name }) => name)).toEqual(['a', 'ab', 'b']);
  });
});
