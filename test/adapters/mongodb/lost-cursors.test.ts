import { AbstractCursor, MongoClient, ObjectId } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { type Link, readChains } from '../../../src/adapters/storage/mongodb/history-chains.ts';
import { openDatabase } from '../../../src/adapters/storage/mongodb/schema.ts';
import type { HostRecord, PlanEntry, Storage, TransferPart } from '../../../src/ports/index.ts';
import { TRANSFER_PARTS } from '../../../src/ports/index.ts';
import {
  activeHosts,
  actor,
  blue,
  collect,
  documentOf,
  labelsOf,
  minute,
  red,
  ruleId,
  ruleWrite,
  save,
  writeRules,
} from '../../../src/testing/samples.ts';
import { countTurns } from '../../support/event-loop-turns.ts';
import { dropDatabase, everything, freshUrl, openStorage, withRaw } from './harness.ts';

/** More than the server gives in one answer; of versions and changes each has two. */
const MANY = 600;
const names = Array.from({ length: MANY }, (_, n) => `h${String(n).padStart(4, '0')}`);
const TEN_MINUTES = 600_000;

/** Many records of every part. */
async function fill(storage: Storage): Promise<void> {
  const { hosts, comments, logs, audit, access, cron, playbooks, marks, ownership, hostCounts } = storage;
  const accounts = [ruleWrite(1, 'red', {}, { type: 'accounts', id: red.id })];
  await writeRules(storage.rules, accounts);
  for (const mode of ['skip', 'replace'] as const) {
    const entries = names.map((name, n) => ruleWrite(n + 1, name, { mode }));
    await writeRules(storage.rules, entries, mode);
  }
  await hosts.putDocuments(
    names.map((name, n) => {
      const relations = [{ type: 'runs_on', target: names[(n + 1) % MANY] ?? '', source: 'manual' }];
      return { record: documentOf(name, { lastSeen: minute(1) }), mode: 'skip', relations };
    }),
    actor,
  );
  await save(hosts, Object.fromEntries(names.map((name) => [name, { os: 'bsd' }])), { at: minute(3) });
  const contribution = { accountId: blue.id, precedence: 1, at: minute(5), actor, runId: 'run' };
  const entries = names.map((hostname) => ({ hostname, labels: labelsOf({ by: 'blue' }) }));
  await hosts.contributeLabels({ ...contribution, entries });
  const shown = { actor: 'ada', entrance: 'cli', address: '', outcome: 'done', requestId: 'r', subject: 'A' };
  const entry = { ...shown, operation: 'hosts/get', details: '' };
  const links = names.map((_, n) => ({ ...entry, id: ruleId(n + 1), at: minute(n), link: { seq: n + 1, mark: 'm' } }));
  await audit.append(links, { from: null, to: 'chain' });
  await marks.put({ accountId: blue.id, kind: 'part', value: 'devices', hostnames: names, at: minute(5) });
  const known = { kind: 'device', remoteId: '1', digest: 'd', pending: null, secrets: '', writtenAt: minute(5) };
  await ownership.save(
    blue.id,
    names.map((name) => ({ ...known, key: name, hostname: name })),
  );
  await access.recordTokenUse(names.map((tokenId) => ({ tokenId, at: minute(1) })));
  for (const [n, name] of names.entries()) {
    await comments.add({ hostname: name, id: ruleId(n + 1), at: minute(n), author: 'ada', text: 'seen' });
    const day = new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10);
    await hostCounts.keep({ day, at: minute(n), accounts: [] });
    const source = 'import:red';
    await logs.append({ id: ruleId(n + 1), at: minute(n), message: '', source, details: [], hasError: false });
    await playbooks.begin({
      id: ruleId(n + 1),
      playbook: 'a.yml',
      provider: 'automation',
      hostname: name,
      checkMode: false,
      source: 'rule',
      startedBy: 'agent',
      startedAt: minute(n),
      leaseMs: 1,
    });
    await playbooks.remember({ ruleId: ruleId(1), playbook: 'a.yml', hostname: name, since: minute(n) });
    await cron.claim({ groupId: name, holder: 'h', seenStart: null, at: minute(1), leaseMs: 1, requested: false });
  }
}

describe('MongoDB: cursors that the server forgets', () => {
  let url: string;
  let storage: Storage;
  let killer: MongoClient;

  beforeAll(async () => {
    url = await freshUrl();
    storage = openStorage(url);
    killer = await MongoClient.connect(url);
    await storage.start();
    const source = memoryStorage()();
    await source.start();
    await fill(source);
    for await (const { part, records } of source.transfer.snapshot(1_000)) await storage.transfer.write(part, records);
  }, 120_000);

  afterAll(async () => {
    await storage.stop();
    await killer.close();
    await dropDatabase(url);
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** From now on cursors are killed before some of the answers that the storage asks for. Tells how many were. */
  function killCursors(share: number): () => number {
    let killed = 0;
    // Below all ways of reading; the driver leaves it out of its types.
    const prototype = AbstractCursor.prototype as unknown as { getMore(): Promise<unknown> };
    const { getMore } = prototype;
    vi.spyOn(prototype, 'getMore').mockImplementation(async function (this: unknown) {
      const cursor = this as AbstractCursor;
      const { id, namespace } = cursor;
      if (id !== undefined && !id.isZero() && Math.random() < share) {
        killed++;
        await killer.db(namespace.db).command({ killCursors: namespace.collection, cursors: [id] });
      }
      return getMore.call(cursor as unknown as typeof prototype);
    });
    return () => killed;
  }

  async function keysOf(part: TransferPart): Promise<readonly string[]> {
    return (await collect(storage.transfer.read(part, { batchSize: 90 }))).map((record) => record.key);
  }

  it.each([0.3, 1])('a scan of hosts gives each once, in order (%d of the answers cut off)', async (share) => {
    const killed = killCursors(share);
    const found = await collect(storage.hosts.scan(activeHosts, 70));
    expect(found.map((host) => host.hostname)).toEqual(names);
    if (share === 1) expect(killed()).toBeGreaterThan(0);
  });

  it('a page, a search, and all rules are as they are without', async () => {
    const { hosts, rules } = storage;
    const readAll = async () => ({
      page: (await hosts.page({ filter: activeHosts, offset: 3, limit: MANY })).map(({ hostname }) => hostname),
      searched: (await collect(steps(hosts))).map(({ hostname }) => hostname),
      listed: (await rules.list('custom_attributes')).map(({ id }) => id),
      scanned: (await collect(rules.scan('custom_attributes', 70))).map(({ id }) => id),
      created: (await collect(rules.lastVersions({ change: 'created' }, 70))).map(({ id }) => id),
    });
    const expected = await readAll();
    expect(expected.page).toEqual(names.slice(3));
    expect(expected.searched).toEqual(names);
    expect(expected.listed.length).toBe(MANY);
    const killed = killCursors(1);
    expect(await readAll()).toEqual(expected);
    expect(killed()).toBeGreaterThanOrEqual(4);
  });

  async function* steps(hosts: Storage['hosts']): AsyncGenerator<readonly HostRecord[]> {
    for await (const { hosts: found } of hosts.search({ filter: activeHosts, holding: [['bsd']] })) yield found;
  }

  /** The end of the chain is one record, which needs no second answer of the server. */
  const parts = TRANSFER_PARTS.filter((part) => part !== 'audit_chain');

  it.each(parts)('the transfer of %s gives each record once, in order', async (part) => {
    const expected = await keysOf(part);
    expect(expected.length).toBeGreaterThanOrEqual(MANY);
    expect(new Set(expected).size).toBe(expected.length);
    const killed = killCursors(1);
    expect(await keysOf(part)).toEqual(expected);
    expect(killed()).toBeGreaterThan(0);
    vi.restoreAllMocks();
    killCursors(0.5);
    expect(await keysOf(part)).toEqual(expected);
  });

  it('a reader gives up on a server that loses every cursor at once', async () => {
    vi.spyOn(AbstractCursor.prototype, 'hasNext').mockImplementation(async function (this: AbstractCursor) {
      const { namespace } = this;
      const id = ObjectId.createFromTime(1).toHexString();
      // What the driver throws where a server knows no cursor of that number.
      await killer.db(namespace.db).command({ getMore: BigInt(`0x${id.slice(0, 15)}`), collection: 'hosts' });
      return false;
    });
    await expect(collect(storage.hosts.scan(activeHosts, 70))).rejects.toMatchObject({ code: 'internal' });
  });

  it('other work goes on between two batches of one answer', async () => {
    const turns = countTurns();
    const turnsBehind: number[] = [];
    for await (const batch of storage.hosts.scan(activeHosts, 5)) {
      expect(batch.length).toBe(5);
      // The first answer of the server holds them all.
      if (turnsBehind.push(turns.soFar()) === 80) break;
    }
    expect(new Set(turnsBehind).size).toBe(80);
    await turns.stop();
  });

  describe('check', () => {
    /** What is stored is no longer young. */
    function later(): void {
      const now = Date.now.bind(Date);
      vi.spyOn(Date, 'now').mockImplementation(() => now() + TEN_MINUTES);
    }

    async function brokenChains(): Promise<string[]> {
      const heads = await withRaw(url, (db) =>
        db
          .collection('hosts')
          .find({}, { projection: { change: 1 } })
          .toArray(),
      );
      const chains = await Promise.all(heads.map(({ _id }) => storage.history.ofHost(String(_id), 1_000)));
      return heads
        .filter(({ change }, index) => chains[index]?.length !== (change?.seq ?? 0) + 1)
        .map(({ _id }) => String(_id));
    }

    function count(collection: string): Promise<number> {
      return withRaw(url, (db) => db.collection(collection).countDocuments());
    }

    async function check(fix: boolean): Promise<string[]> {
      const found = await everything(storage.check({ fix }));
      return found.map(({ subject, message }) => `${subject}: ${message}`);
    }

    it('deletes nothing that is valid, whatever stands beside it', async () => {
      const changes = await count('history');
      const relations = await count('relations');
      // Changes of writers that lost, with the numbers of those that won and read before them.
      await withRaw(url, async (db) => {
        const history = db.collection('history');
        const some = { hostname: { $lt: names[150] } };
        const won = await history.find(some).toArray();
        const lost = won.map((change, n) => ({ ...change, _id: new ObjectId(`3b9aca00${ruleId(n).slice(8)}`) }));
        await history.deleteMany(some);
        await history.insertMany([...lost, ...won]);
      });
      later();
      const killed = killCursors(0.7);
      await check(true);
      expect(killed()).toBeGreaterThan(0);
      vi.restoreAllMocks();
      expect(await brokenChains()).toEqual([]);
      later();
      await check(true);
      expect(await check(true)).toEqual([]);
      expect(await count('history')).toBe(changes);
      expect(await count('relations')).toBe(relations);
    });

    it('deletes nothing of hosts that are written meanwhile', async () => {
      later();
      let over = false;
      let round = 0;
      const writing = (async () => {
        for (; !over; round++) {
          const labels = { round };
          const some = names.filter((_, n) => n % 40 === round % 40);
          await save(storage.hosts, Object.fromEntries(some.map((name) => [name, labels])), { at: minute(9) });
        }
      })();
      for (let n = 0; n < 3; n++) expect(await check(true)).toEqual([]);
      over = true;
      await writing;
      vi.restoreAllMocks();
      expect(round).toBeGreaterThan(3);
      expect(await brokenChains()).toEqual([]);
    });
  });

  it('the history of hosts that are written meanwhile is transferred', async () => {
    const before = await keysOf('host_changes');
    const found: string[] = [];
    let round = 100;
    for await (const records of storage.transfer.read('host_changes', { batchSize: 400 })) {
      found.push(...records.map((record) => record.key));
      // Some of those that come next, whose changes the server gave with these.
      const next = found.at(-1)?.split(' ')[0] ?? '';
      const some = names.filter((name) => name > next).slice(0, 30);
      await save(storage.hosts, Object.fromEntries(some.map((name) => [name, { round }])), { at: minute(++round) });
    }
    expect(round).toBeGreaterThan(102);
    expect(new Set(found).size).toBe(found.length);
    const given = new Set(found);
    expect(before.filter((key) => !given.has(key))).toEqual([]);
  });

  /** Changes as of writers that lost, three beside each that happened, so that what is asked for does not come in one answer. */
  async function loseRaces(hostname: string): Promise<void> {
    await withRaw(url, async (db) => {
      const history = db.collection('history');
      const won = await history.find({ hostname }).toArray();
      await history.insertMany(won.flatMap((change) => [1, 2, 3].map(() => ({ ...change, _id: new ObjectId() }))));
    });
  }

  it('the history of a host, and what changed anywhere, are as they are without', async () => {
    const { hosts, history } = storage;
    const busy = 'h0007';
    // All at one moment, which no page cuts.
    for (let round = 0; round < 20; round++)
      await save(hosts, { [busy]: { round: 1_000 + round } }, { at: minute(5_000) });
    await loseRaces(busy);
    const readAll = async () => ({
      ofHost: await history.ofHost(busy, 15),
      all: await history.ofHost(busy, 1_000),
      first: await history.latest({ limit: 1 }),
      next: await history.latest({ limit: 5, before: { at: minute(5_000), hostname: busy } }),
    });
    const expected = await readAll();
    expect([expected.ofHost.length, expected.first.length, expected.next.length]).toEqual([15, 20, 5]);
    const killed = killCursors(1);
    expect(await readAll()).toEqual(expected);
    expect(killed()).toBeGreaterThan(2);
  });

  it('chains of hosts that are longer than an answer are whole', async () => {
    const some = names.slice(100, 110);
    for (const hostname of some) {
      for (let round = 0; round < 15; round++)
        await save(storage.hosts, { [hostname]: { round } }, { at: minute(5_001) });
      await loseRaces(hostname);
    }
    const database = openDatabase(killer.db());
    const expected = await readChains<Link>(database, some);
    expect([...expected.values()].map((chain) => chain.length > 15)).toEqual(some.map(() => true));
    const killed = killCursors(1);
    expect(await readChains<Link>(database, some)).toEqual(expected);
    expect(killed()).toBeGreaterThan(0);
  });

  it('names of a plan are looked through, and its entries read, to the end', async () => {
    const id = ruleId(77);
    const plan = {
      id,
      accountId: 'a',
      account: 'out',
      madeBy: 'ada',
      madeAt: new Date(0),
      holder: 'n1',
      leaseMs: TEN_MINUTES,
    };
    await storage.plans.begin({ ...plan, basis: { hosts: 1, rules: 'r' }, isExclusive: false });
    const entry = (number: number): PlanEntry => {
      const nothing = {
        previousKey: null,
        hostname: null,
        rule: null,
        drift: false,
        fields: [],
        after: [],
        remote: null,
      };
      const state = { digest: 'd', secrets: '', outcome: null, reason: '' };
      return { number, action: 'create', kind: 'device', key: `web${number}`, ...nothing, ...state };
    };
    const numbers = Array.from({ length: MANY }, (_, n) => n + 1);
    for (let start = 0; start < MANY; start += 50) {
      const entries = numbers.slice(start, start + 50).map(entry);
      await storage.plans.append({ id, entries, leaseMs: TEN_MINUTES });
    }
    const killed = killCursors(1);
    for (const filter of [{}, { text: 'web' }]) {
      const before = killed();
      const entries = await storage.plans.entries({ id, filter, after: 0, limit: MANY });
      expect(entries.map(({ number }) => number)).toEqual(numbers);
      expect(killed()).toBeGreaterThan(before);
    }
  });

  it('rules are planned by all that are stored, and go on behind the versions that are kept of them', async () => {
    const rewrite = () => names.map((name, n) => ruleWrite(n + 1, name, { mode: 'third' }));
    const killed = killCursors(1);
    expect(new Set(await writeRules(storage.rules, rewrite()))).toEqual(new Set(['duplicate']));
    expect(killed()).toBeGreaterThan(0);
    await withRaw(url, (db) => db.collection('rules').deleteMany({ type: 'custom_attributes' }));
    const before = killed();
    expect(new Set(await writeRules(storage.rules, rewrite()))).toEqual(new Set(['imported']));
    expect(killed()).toBeGreaterThan(before);
    vi.restoreAllMocks();
    const written = await storage.rules.list('custom_attributes');
    expect(new Set(written.map(({ version }) => version))).toEqual(new Set([3]));
  });

  it('rules that meet many of one name are planned by each of them', async () => {
    const type = 'export_vars';
    const many = names.map((_, n) => ruleWrite(n + 1, 'same', {}, { type, uniqueName: false }));
    expect(new Set(await writeRules(storage.rules, many))).toEqual(new Set(['imported']));
    const first = many[0]?.id;
    const renamed = ruleWrite(MANY + 1, 'same', { by: 'name' }, { type, uniqueName: true });
    const killed = killCursors(1);
    expect(await writeRules(storage.rules, [renamed], 'replace')).toEqual(['name_taken']);
    expect(killed()).toBeGreaterThan(0);
    expect((await storage.rules.get(type, first ?? ''))?.version).toBe(1);
  });

  it('what many hosts owe is settled once each', async () => {
    const type = 'cmk_folder_pool';
    const pools = names.map((name, n) =>
      ruleWrite(n + 1, name, { folder_name: `/${name}`, folder_seats_taken: 5 }, { type }),
    );
    await writeRules(storage.rules, pools);
    await withRaw(url, async (db) => {
      const debts = (folder: string) => [
        { id: new ObjectId(), effect: 'seat_given_back', folder, at: minute(1), actor },
      ];
      await db.collection<{ _id: string }>('hosts').bulkWrite(
        names.map((name) => ({
          updateOne: { filter: { _id: name }, update: { $set: { debts: debts(`/${name}`) } } },
        })),
      );
    });
    const killed = killCursors(1);
    const another = openStorage(url);
    await another.start();
    await another.stop();
    expect(killed()).toBeGreaterThan(0);
    vi.restoreAllMocks();
    const seats = (await storage.rules.list(type)).map(({ document }) => document.value.folder_seats_taken);
    expect(seats).toEqual(names.map(() => 4));
  });

  it('a sweep names every host', async () => {
    const killed = killCursors(1);
    const stale = { seenBefore: minute(9_000), at: minute(9_000), actor };
    expect(await storage.hosts.archiveStale(stale)).toEqual(names);
    expect(killed()).toBeGreaterThan(0);
  });

  // The last one: it deletes what the others read.
  it('versions of rules are pruned, and never the newest of a document', async () => {
    // In one answer: its cursor would be killed too.
    const versions = () =>
      withRaw(url, (db) => db.collection('ruleVersions').find({}, { batchSize: 10_000 }).toArray());
    const before = await versions();
    const killed = killCursors(1);
    const pruned = await storage.rules.pruneVersions(minute(9_999));
    expect(killed()).toBeGreaterThan(1);
    const kept = await versions();
    expect(pruned).toBeGreaterThanOrEqual(MANY);
    expect(pruned).toBe(before.length - kept.length);
    expect(new Set(kept.map(({ type, id }) => `${type} ${id}`)).size).toBe(kept.length);
    const left = await collect(storage.rules.lastVersions({ change: 'created' }, 70));
    // The other tests have left documents of their own.
    expect(left.map(({ type }) => type)).toContain('accounts');
  });
});
