import { afterEach, beforeEach, expect, it } from 'vitest';
import { StoredJson } from '../../../src/ports/index.ts';
import { actor, documentOf, namesOf, ofTemplates, saveNames } from '../../../src/testing/samples.ts';
import { dropDatabase, freshUrl, openStorage, withRaw } from './harness.ts';

/** More than a node notes at once. */
const HOSTS = 603;

let url: string;
beforeEach(async () => {
  url = await freshUrl();
});
afterEach(() => dropDatabase(url));

/** A database as a version left it that noted no templates beside the hosts. */
async function olderDatabase(): Promise<void> {
  const storage = openStorage(url);
  await storage.start();
  await saveNames(storage.hosts, ['plain']);
  const record = (number: number) => {
    const cmdb_templates = [number % 3 === 0 ? 'web' : { $oid: 'a'.repeat(24) }];
    return documentOf(`host${number}`, { members: StoredJson.ofValue(number % 2 === 0 ? { cmdb_templates } : {}) });
  };
  const records = Array.from({ length: HOSTS }, (_, number) => record(number));
  await storage.hosts.putDocuments(
    records.map((each) => ({ record: each, mode: 'skip', relations: [] })),
    actor,
  );
  await storage.stop();
  await withRaw(url, async (db) => {
    await db.collection('hosts').updateMany({}, { $unset: { templates: 1 } });
    await db.collection('hosts').dropIndex('by_template');
    await db.collection<{ _id: string }>('control').updateOne({ _id: 'schema' }, { $inc: { n: -1 } });
  });
}

it('hosts of an older version are found by their templates once nodes of this one start, all at once', async () => {
  await olderDatabase();
  const nodes = [openStorage(url, 2_000), openStorage(url, 2_000), openStorage(url, 2_000)] as const;
  await Promise.all(nodes.map((node) => node.start()));
  const [{ hosts }] = nodes;
  const found = async (template: string) => {
    const filter = { scope: ofTemplates([template]), kind: 'all', state: 'active' } as const;
    return (await namesOf(hosts.page({ filter, offset: 0, limit: HOSTS }))).length;
  };
  const numbers = Array.from({ length: HOSTS }, (_, number) => number).filter((number) => number % 2 === 0);
  const web = numbers.filter((number) => number % 3 === 0).length;
  expect([await found('web'), await found('a'.repeat(24)), await found('other')]).toEqual([
    web,
    numbers.length - web,
    0,
  ]);
  const left = await withRaw(url, (db) => db.collection('hosts').countDocuments({ templates: { $exists: false } }));
  expect(left).toBe(0);
  await Promise.all(nodes.map((node) => node.stop()));
});
