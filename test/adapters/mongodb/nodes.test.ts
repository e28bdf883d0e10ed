import { ObjectId } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mongodbStorage } from '../../../src/adapters/storage/mongodb/storage.ts';
import type { Storage } from '../../../src/ports/index.ts';
import { StoredJson } from '../../../src/ports/index.ts';
import { actor, blue, minute, red, ruleWrite, save, saveNames, writeRules } from '../../../src/testing/samples.ts';
import { dropDatabase, everything, freshUrl, openStorage, silent, withRaw } from './harness.ts';

describe('MongoDB: many nodes on one database', () => {
  let url: string;
  let nodes: readonly Storage[];

  beforeEach(async () => {
    url = await freshUrl();
    nodes = Array.from({ length: 4 }, () => openStorage(url, 2_000));
  });

  afterEach(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await dropDatabase(url);
  });

  function node(number: number): Storage {
    const storage = nodes[number];
    if (storage === undefined) throw new Error(`no node ${number}`);
    return storage;
  }

  it('start at once on an empty database, and one of them makes the indexes', async () => {
    await Promise.all(nodes.map((node) => node.start()));
    const indexes = await withRaw(url, (db) => db.collection('hosts').indexes());
    expect(indexes.map((index) => index.name).sort()).toEqual(
      ['_id_', 'by_account', 'by_contributor', 'by_debt', 'by_kind', 'by_sight', 'by_template'].sort(),
    );
    expect(await everything(node(0).check({ fix: false }))).toEqual([]);
  });

  it('refuse a database of a newer version', async () => {
    await node(0).start();
    await withRaw(url, (db) =>
      db.collection<{ _id: string }>('control').updateOne({ _id: 'schema' }, { $inc: { n: 1 } }),
    );
    await expect(node(1).start()).rejects.toEqual(expect.objectContaining({ code: 'failed' }));
  });

  it('make an index anew that somebody dropped or changed', async () => {
    await node(0).start();
    await withRaw(url, async (db) => {
      await db.collection('hosts').dropIndex('by_sight');
      await db.collection('relations').dropIndex('outgoing');
      await db.collection('relations').createIndex({ hostname: 1 }, { name: 'outgoing' });
      await db.collection('usedOnce').dropIndex('by_end');
      await db.collection('usedOnce').createIndex({ until: 1 }, { name: 'by_end', expireAfterSeconds: 1 });
    });
    const check = (fix: boolean) => everything(node(0).check({ fix }));
    expect((await check(false)).map((problem) => problem.subject).sort()).toEqual([
      'index hosts.by_sight',
      'index relations.outgoing',
      'index usedOnce.by_end',
    ]);
    await node(1).start();
    expect(await check(false)).toEqual([]);
  });

  it("hold cron groups by the server's clock, however wrong their own are", async () => {
    const open = (year: number) =>
      mongodbStorage({ url })({ logger: silent, clock: { now: () => new Date(Date.UTC(year)) } });
    const [early, late] = [open(2001), open(2099)];
    await Promise.all([early.start(), late.start()]);
    try {
      const claim = { groupId: 'g', at: minute(1), leaseMs: 60_000, requested: false };
      expect(await early.cron.claim({ ...claim, holder: 'a', seenStart: null })).toBe(true);
      expect(await late.cron.states()).toMatchObject([{ holder: 'a', isHeld: true }]);
      expect(await late.cron.claim({ ...claim, holder: 'b', seenStart: minute(1) })).toBe(false);
      expect(await late.cron.retain([])).toBe(0);
      expect(await late.cron.keep({ groupId: 'g', holder: 'a', leaseMs: 0 })).toBe(true);
      expect(await early.cron.states()).toMatchObject([{ holder: 'a', isHeld: false }]);
      expect(await early.cron.claim({ ...claim, holder: 'b', seenStart: minute(1) })).toBe(true);
    } finally {
      await Promise.all([early.stop(), late.stop()]);
    }
  });

  it('remove changes that never happened from the history, and nothing else', async () => {
    await node(0).start();
    for (let n = 0; n < 4; n++) await save(node(0).hosts, { alpha: { n }, beta: { n } });
    const before = await node(0).history.ofHost('alpha', 10);
    await withRaw(url, async (db) => {
      const real = await db.collection('history').findOne({ hostname: 'alpha', seq: 2 }, { projection: { _id: 0 } });
      await db.collection('history').insertOne({ ...real, _id: ObjectId.createFromTime(1_000_000_000) });
    });
    expect(await node(0).history.ofHost('alpha', 10)).toEqual(before);
    const check = async (fix: boolean) => {
      const found = await everything(node(0).check({ fix }));
      return found.filter((problem) => problem.subject === 'history').map((problem) => problem.message);
    };
    expect(await check(false)).toEqual(['1 change did not happen.']);
    expect(await check(true)).toEqual(['1 change did not happen.']);
    expect(await check(true)).toEqual([]);
    expect(await node(0).history.ofHost('alpha', 10)).toEqual(before);
    expect((await node(0).history.ofHost('beta', 10)).length).toBe(4);
  });

  it('remove relations whose host never came, and leave those whose host may be on its way', async () => {
    await node(0).start();
    const edge = { hostname: 'gone', type: 'runs_on', source: 'manual' };
    await withRaw(url, (db) =>
      db.collection('relations').insertMany([
        { _id: ObjectId.createFromTime(1_000_000_000), ...edge, target: 'old' },
        { _id: new ObjectId(), ...edge, target: 'young' },
      ]),
    );
    const check = async () => (await everything(node(0).check({ fix: true }))).map((problem) => problem.subject);
    expect(await check()).toEqual(['host gone']);
    expect(await check()).toEqual([]);
    expect((await node(0).relations.of(['gone'])).map((relation) => relation.target)).toEqual(['young']);
  });

  it('lose no update when they write the same host', async () => {
    await Promise.all(nodes.map((node) => node.start()));
    await saveNames(node(0).hosts, ['alpha']);
    const writes = Array.from({ length: 40 }, async (_, n) => {
      const section = StoredJson.ofValue({ n });
      const entries = [{ hostname: 'alpha', key: `s${n}`, section }];
      return node(n % 4).hosts.saveInventory({ entries, scope: null, at: minute(2), actor });
    });
    for (const outcomes of await Promise.all(writes)) expect(outcomes).toEqual(['updated']);
    const inventory = (await node(0).hosts.get('alpha', null))?.inventory.value ?? {};
    expect(Object.keys(inventory).length).toBe(40);
    expect((await node(0).history.ofHost('alpha', 100))?.length).toBe(41);
    expect(await everything(node(0).check({ fix: false }))).toEqual([
      expect.objectContaining({ subject: `account ${red.id}` }),
    ]);
  });

  it('give each host of two bulks to one account', async () => {
    await Promise.all(nodes.map((node) => node.start()));
    const names = Array.from({ length: 300 }, (_, n) => `h${n}`);
    const bulk = (number: number, account: typeof red, order: readonly string[]) =>
      save(node(number).hosts, Object.fromEntries(order.map((name) => [name, { by: account.id }])), {
        account,
      });
    const [left, right] = await Promise.all([bulk(0, red, names), bulk(1, blue, names.toReversed())]);
    for (const [n, outcome] of left.entries()) {
      expect([outcome, right[names.length - 1 - n]].sort()).toEqual(['account_conflict', 'created']);
    }
  });

  it('let one of many take a unique name', async () => {
    await Promise.all(nodes.map((node) => node.start()));
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) => writeRules(node(n % 4).rules, [ruleWrite(n + 1, 'same')])),
    );
    expect(outcomes.flat().filter((outcome) => outcome === 'imported').length).toBe(1);
    expect(outcomes.flat().filter((outcome) => outcome === 'duplicate').length).toBe(7);
  });

  it('leave no sign of writing behind', async () => {
    await node(0).start();
    await save(node(0).hosts, { alpha: {} });
    const signs = () => withRaw(url, (db) => db.collection('control').countDocuments({ kind: 'writer' }));
    expect(await signs()).toBe(1);
    await node(0).stop();
    expect(await signs()).toBe(0);
  });
});
