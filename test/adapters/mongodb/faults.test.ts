import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mongodbStorage } from '../../../src/adapters/storage/mongodb/storage.ts';
import type { Logger, Storage } from '../../../src/ports/index.ts';
import { StoredJson } from '../../../src/ports/index.ts';
import {
  activeHosts,
  actor,
  blue,
  collect,
  documentOf,
  labelsOf,
  minute,
  red,
  ruleWrite,
  save,
  saveNames,
  writeRules,
} from '../../../src/testing/samples.ts';
import { type MongodbServer, startMongodbServer } from '../../support/mongodb-server.ts';
import { failPoints } from './fail-points.ts';
import { everything, openStorage, silent, withDatabase, withRaw } from './harness.ts';

const refused = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: expect.any(Number) });
const POOL = 'cmk_folder_pool';

// A server of its own: fail points are the server's, and the substitute knows no other way to aim them than the client's name.
describe('MongoDB: writers that are cut off', () => {
  let server: MongodbServer;
  let points: Awaited<ReturnType<typeof failPoints>>;
  let url: string;
  /** The one that meets the fault. */
  let first: Storage;
  /** Another node. */
  let second: Storage;
  let turn = 0;
  let appName: string;

  beforeAll(async () => {
    server = await startMongodbServer();
    points = await failPoints(server.url);
  });

  afterAll(async () => {
    await points?.close();
    await server?.stop();
  });

  beforeEach(async () => {
    appName = `first-${++turn}`;
    url = withDatabase(server.url, `muster_faults_${process.pid}_${turn}`);
    first = openStorage(withParameters(''), 600);
    second = openStorage(url, 600);
    await first.start();
    await second.start();
  });

  afterEach(async () => {
    await points.clear();
    await first.stop();
    await second.stop();
    await withRaw(url, (db) => db.dropDatabase());
  });

  /**
   * No second tries, as on a standalone server. Asking for the server's state by polls: the substitute does not tell a waiting
   * client that its state changed, as a primary does that steps down.
   */
  function withParameters(more: string): string {
    const parameters = `appName=${appName}&retryWrites=false&retryReads=false&serverMonitoringMode=poll${more}`;
    return `${url}${url.includes('?') ? '&' : '?'}${parameters}`;
  }

  async function seats(): Promise<unknown> {
    return (await second.rules.findByName(POOL, 'pool'))?.document.value.folder_seats_taken;
  }

  async function problems(fix: boolean): Promise<string[]> {
    const found = await everything(second.check({ fix }));
    return found.map((problem) => problem.subject).filter((subject) => !subject.startsWith('account '));
  }

  /** What the first node writes of alpha, seen again as it is, while the second does something between its read and its write. */
  async function seenAgain(
    at: Date,
    meanwhile: () => Promise<unknown>,
    more: { readonly runId?: string } = {},
  ): Promise<readonly string[]> {
    await points.set(appName, { commands: ['update'], blockMs: 600 });
    const seen = save(first.hosts, { alpha: { os: 'linux' } }, { at, ...more });
    // Its read is answered long before.
    await sleep(250);
    await meanwhile();
    const outcomes = await seen;
    await points.clear();
    return outcomes;
  }

  it.each([{}, { runId: 'run' }])(
    'a host that is archived between being read and being seen again is brought back (%o)',
    async (more) => {
      await saveNames(second.hosts, ['alpha'], { at: minute(1) });
      const archived = async () => {
        const request = { hostnames: ['alpha'], scope: null, at: minute(4), actor, by: 'stale' as const };
        expect(await second.hosts.archive(request)).toEqual(['archived']);
      };
      expect(await seenAgain(minute(5), archived, more)).toEqual(['updated']);
      expect((await second.hosts.get('alpha', null))?.lastSeen).toEqual(minute(5));
    },
  );

  it('a host that another account takes over between being read and being seen again is that one’s', async () => {
    await saveNames(second.hosts, ['alpha'], { at: minute(1) });
    const theirs = { account: blue, takeOver: true, at: minute(3), runId: 'theirs' };
    const outcomes = await seenAgain(
      minute(5),
      async () => expect(await save(second.hosts, { alpha: { os: 'linux' } }, theirs)).toEqual(['updated']),
      { runId: 'ours' },
    );
    expect(outcomes).toEqual(['account_conflict']);
    expect(await second.hosts.get('alpha', null)).toMatchObject({ accountId: blue.id, lastSeen: minute(3) });
    expect(await save(second.hosts, { alpha: { os: 'again' } }, theirs)).toEqual(['duplicate']);
  });

  it('a host that is replaced by a document that was never seen is written as the document says', async () => {
    await saveNames(second.hosts, ['alpha'], { at: minute(1) });
    const record = documentOf('alpha', { labels: labelsOf({ os: 'bsd' }), createdAt: minute(8) });
    const outcomes = await seenAgain(minute(5), () =>
      second.hosts.putDocuments([{ record, mode: 'replace', relations: [] }], actor),
    );
    expect(outcomes).toEqual(['updated']);
    const host = await second.hosts.get('alpha', null);
    expect([host?.labels.value, host?.lastSeen]).toEqual([{ os: 'linux' }, minute(5)]);
    expect(await problems(false)).not.toContain('host alpha');
  });

  it('a host that is purged between being read and being seen again is made anew', async () => {
    await saveNames(second.hosts, ['alpha'], { at: minute(1) });
    const outcomes = await seenAgain(minute(5), async () => {
      await second.hosts.archive({ hostnames: ['alpha'], scope: null, at: minute(2), actor, by: 'stale' });
      expect(await second.hosts.purgeArchived(minute(3), { at: minute(4), actor })).toBe(1);
    });
    expect(outcomes).toEqual(['created']);
    expect((await second.hosts.get('alpha', null))?.lastSeen).toEqual(minute(5));
  });

  it('a sight that comes late undoes nothing and does not move back', async () => {
    await saveNames(second.hosts, ['alpha'], { at: minute(1) });
    const outcomes = await seenAgain(minute(5), async () => {
      expect(await save(second.hosts, { alpha: { os: 'bsd' } }, { at: minute(9) })).toEqual(['updated']);
    });
    expect(outcomes).toEqual(['unchanged']);
    const host = await second.hosts.get('alpha', null);
    expect(host?.labels.value).toEqual({ os: 'bsd' });
    expect([host?.lastSeen, host?.lastUpdate]).toEqual([minute(9), minute(9)]);
    expect(await problems(false)).toEqual([]);
  });

  it('a connection lost in the middle of a bulk leaves whole hosts, and doing it again completes them', async () => {
    const names = Array.from({ length: 1_100 }, (_, n) => `h${String(n).padStart(4, '0')}`);
    // Each batch inserts a row of the change feed, then its hosts: the last of the four fails.
    await points.set(appName, { commands: ['insert'], skip: 3, closeConnection: true });
    await expect(saveNames(first.hosts, names)).rejects.toEqual(refused);
    await points.clear();
    expect(await second.hosts.count({ scope: null, kind: 'all', state: 'any' })).toBe(1_000);
    const again = Object.fromEntries(names.slice(-200).map((name) => [name, { os: 'linux' }]));
    const outcomes = await save(first.hosts, again, { at: minute(9) });
    expect(outcomes.filter((outcome) => outcome === 'unchanged').length).toBe(100);
    expect(outcomes.filter((outcome) => outcome === 'created').length).toBe(100);
  });

  it('a slow answer is given up in time, and the next call works', async () => {
    const impatient = openStorage(withParameters('&socketTimeoutMS=700'), 600);
    await impatient.start();
    await save(impatient.hosts, { alpha: { n: 1 } });
    await points.set(appName, { commands: ['update', 'find'], blockMs: 4_000 });
    await expect(save(impatient.hosts, { alpha: { n: 2 } })).rejects.toEqual(refused);
    await points.clear();
    expect(await save(impatient.hosts, { alpha: { n: 3 } }, { at: minute(9) })).toEqual(['updated']);
    await impatient.stop();
  });

  it.each([10107, 11602, 189, 91])('code %i of a primary that steps down is one to try again', async (errorCode) => {
    await save(first.hosts, { alpha: { n: 1 } });
    await points.set(appName, { commands: ['update', 'insert', 'find'], errorCode });
    await expect(save(first.hosts, { alpha: { n: 2 } })).rejects.toEqual(refused);
    await expect(first.hosts.get('alpha', null)).rejects.toEqual(refused);
    await points.clear();
    expect(await save(first.hosts, { alpha: { n: 2 } })).toEqual(['updated']);
  });

  it.each([{ closeConnection: true }, { errorCode: 11602 }, { errorCode: 91 }])(
    'a scan goes on behind the last host where answers are lost (%j)',
    async (fault) => {
      const names = Array.from({ length: 1_100 }, (_, n) => `h${String(n).padStart(4, '0')}`);
      await saveNames(second.hosts, names);
      // Every answer but the first of each cursor.
      await points.set(appName, { commands: ['getMore'], ...fault });
      const found = await collect(first.hosts.scan(activeHosts, 200));
      expect(found.map((host) => host.hostname)).toEqual(names);
    },
  );

  it('a scan that has read nothing says at once that the database does not answer', async () => {
    await saveNames(second.hosts, ['alpha']);
    await points.set(appName, { commands: ['find'], closeConnection: true });
    await expect(collect(first.hosts.scan(activeHosts, 200))).rejects.toEqual(refused);
  });

  it('a change whose host was not written is in nobody’s history', async () => {
    await save(first.hosts, { alpha: { n: 1 } });
    // The sign of writing is up already: the next update is the host's.
    await points.set(appName, { commands: ['update'], closeConnection: true });
    await expect(save(first.hosts, { alpha: { n: 2 } })).rejects.toEqual(refused);
    await points.clear();
    expect((await second.history.ofHost('alpha', 10)).map((change) => change.kind)).toEqual(['created']);
    expect(await withRaw(url, (db) => db.collection('history').countDocuments())).toBe(1);
    await save(second.hosts, { alpha: { n: 3 } });
    const history = await second.history.ofHost('alpha', 10);
    expect(history.map((change) => change.changes)).toEqual([[{ path: 'labels.n', before: 1, after: 3 }], []]);
  });

  it('a writer that dies before the revision moves is found out by the others', async () => {
    await save(first.hosts, { alpha: { n: 1 } });
    const before = (await second.revisions()).get('hosts') ?? 0;
    await points.set(appName, { commands: ['update'], skip: 1, closeConnection: true });
    await expect(save(first.hosts, { alpha: { n: 2 } })).rejects.toEqual(refused);
    expect((await second.hosts.get('alpha', null))?.labels.value).toEqual({ n: 2 });
    // The first one still cannot reach the database, as if it were dead.
    await expect
      .poll(async () => (await second.revisions()).get('hosts') ?? 0, { timeout: 5_000 })
      .toBeGreaterThan(before);
    const now = (await second.revisions()).get('hosts');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect((await second.revisions()).get('hosts')).toBe(now);
  });

  it('a writer that could not move the revision does so itself when it can', async () => {
    await save(first.hosts, { alpha: { n: 1 } });
    const before = (await second.revisions()).get('hosts') ?? 0;
    // The host comes first, then the row of the change feed.
    await points.set(appName, { commands: ['update'], skip: 2, closeConnection: true });
    await expect(save(first.hosts, { alpha: { n: 2 } })).rejects.toEqual(refused);
    await points.clear();
    expect((await first.revisions()).get('hosts')).toBeGreaterThan(before);
  });

  it('a writer whose batch takes long is not taken for dead', async () => {
    await points.set(appName, { commands: ['insert'], blockMs: 1_000 });
    const written = save(first.hosts, { alpha: { n: 1 } });
    const isExpired = async () => {
      const [sign] = await withRaw(url, (db) => db.collection('control').find({ kind: 'writer' }).toArray());
      return sign === undefined ? undefined : Number(sign.until) < Date.now();
    };
    await expect.poll(isExpired).toBe(false);
    // It lasts for 600 ms.
    for (let turn = 0; turn < 6; turn++) {
      await sleep(200);
      expect(await isExpired()).toBe(false);
    }
    await points.clear();
    await written;
  });

  it('indexes may take longer to make than an answer may take, and another node waits for them', async () => {
    await withRaw(url, (db) => db.collection('hosts').dropIndex('by_sight'));
    await points.set(appName, { commands: ['createIndexes'], blockMs: 2_000 });
    const impatient = openStorage(withParameters('&socketTimeoutMS=700'), 600);
    const other = openStorage(url, 600);
    try {
      await Promise.all([impatient.start(), sleep(300).then(() => other.start())]);
      const made = await withRaw(url, (db) => db.collection('hosts').indexes());
      expect(made.map(({ name }) => name)).toContain('by_sight');
    } finally {
      await points.clear();
      await Promise.all([impatient.stop(), other.stop()]);
    }
  });

  it('making indexes that take long is told of, and stops when another node has begun with it', async () => {
    await withRaw(url, (db) => db.collection('hosts').dropIndex('by_sight'));
    await points.set(appName, { commands: ['createIndexes'], blockMs: 20_000 });
    const told: object[] = [];
    const logger: Logger = { ...silent, info: (_message, fields) => void told.push(fields ?? {}) };
    const slow = mongodbStorage({ url: withParameters(''), leaseMs: 2_000 })({ logger });
    try {
      const started = expect(slow.start()).rejects.toEqual(refused);
      await expect.poll(() => told.length, { timeout: 15_000 }).toBeGreaterThan(1);
      expect(told[1]).toEqual({ collection: 'hosts', indexes: ['by_sight'], seconds: 2 });
      const begun = performance.now();
      await withRaw(url, (db) =>
        db.collection<{ _id: string }>('control').updateOne({ _id: 'lease/schema' }, { $set: { holder: 'another' } }),
      );
      await started;
      expect(performance.now() - begun).toBeLessThan(10_000);
    } finally {
      await points.clear();
      await slow.stop();
    }
    await second.stop();
    await second.start();
    const made = await withRaw(url, (db) => db.collection('hosts').indexes());
    expect(made.map(({ name }) => name)).toContain('by_sight');
  });

  it('a bundle of rules that was not promised did not happen', async () => {
    await points.set(appName, { commands: ['update'], closeConnection: true });
    await expect(writeRules(first.rules, [ruleWrite(1, 'a'), ruleWrite(2, 'b')])).rejects.toEqual(refused);
    await points.clear();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await second.revisions()).toEqual(new Map());
    expect(await second.rules.counts()).toEqual(new Map());
  });

  it.each([0, 1, 2])('a bundle of rules that was promised is carried out by another (%i writes done)', async (done) => {
    const entries = Array.from({ length: 520 }, (_, n) => ruleWrite(n + 1, `rule ${n}`));
    await writeRules(first.rules, [ruleWrite(1, 'rule 0', { old: true })]);
    // Larger than what fits into the promise itself: two parts, whose versions are one `insert` each behind those of the parts.
    await points.set(appName, { commands: ['insert'], skip: 2 + done, closeConnection: true });
    if (done < 2) await expect(writeRules(first.rules, entries, 'replace')).rejects.toEqual(refused);
    else expect((await writeRules(first.rules, entries, 'replace')).length).toBe(520);
    await expect
      .poll(async () => (await second.revisions()).get('rules/custom_attributes'), { timeout: 5_000 })
      .toBe(2);
    expect((await second.rules.list('custom_attributes')).length).toBe(520);
    const versions = await second.rules.versions('custom_attributes', entries[0]?.id ?? '', 10);
    expect(versions.map((version) => version.version)).toEqual([2, 1]);
    expect(await withRaw(url, (db) => db.collection('rulePlans').countDocuments())).toBe(0);
    expect(await problems(false)).toEqual([]);
  });

  it('a bundle of rules whose writer was killed is whole for a node that starts, even before the lease ran out', async () => {
    const entries = Array.from({ length: 520 }, (_, n) => ruleWrite(n + 1, `rule ${n}`));
    await points.set(appName, { commands: ['insert'], skip: 2, closeConnection: true });
    await expect(writeRules(first.rules, entries)).rejects.toEqual(refused);
    // It gave the lease back, which a killed one could not.
    const until = { $set: { until: { $add: [{ $toLong: '$$NOW' }, 1_000] } } };
    await withRaw(url, (db) => db.collection<{ _id: string }>('control').updateOne({ _id: 'lease/rules' }, [until]));
    const third = openStorage(url, 600);
    try {
      await third.start();
      expect((await third.rules.list('custom_attributes')).length).toBe(520);
    } finally {
      await third.stop();
    }
  });

  it.each(['findAndModify', 'insert'])(
    'a seat is given back exactly once when %s fails behind the archiving',
    async (command) => {
      await writeRules(first.rules, [
        ruleWrite(7, 'pool', { folder_name: '/site/a', folder_seats_taken: 5 }, { type: POOL }),
      ]);
      await saveNames(first.hosts, ['alpha']);
      const record = await first.hosts.find('alpha');
      if (record === undefined) throw new Error('no host');
      await first.hosts.putDocuments(
        [{ record: { ...record, folder: '/site/a' }, mode: 'replace', relations: [] }],
        actor,
      );
      // The first inserts of the call are of the history and the change feed; the next one is the version of the pool's document.
      await points.set(appName, {
        commands: [command],
        ...(command === 'insert' ? { skip: 2 } : {}),
        closeConnection: true,
      });
      const request = { hostnames: ['alpha'], by: 'api', at: minute(5), scope: null, actor } as const;
      await expect(first.hosts.archive(request)).rejects.toEqual(refused);
      await points.clear();
      expect((await second.hosts.find('alpha'))?.folder).toBe(null);
      expect(await seats()).toBe(5);
      expect(await problems(true)).toContain(command === 'insert' ? 'rules' : POOL);
      expect(await seats()).toBe(4);
      expect(await problems(true)).toEqual([]);
      expect(await seats()).toBe(4);
    },
  );

  it('a purge that was cut off is finished by the next', async () => {
    await saveNames(first.hosts, ['alpha', 'beta']);
    await first.relations.add({ hostname: 'alpha', type: 'runs_on', target: 'beta', source: 'manual' }, null);
    await first.hosts.archive({ hostnames: ['alpha'], by: 'api', at: minute(5), scope: null, actor });
    await points.set(appName, { commands: ['delete'], skip: 1, closeConnection: true });
    await expect(first.hosts.purgeArchived(minute(9), { at: minute(9), actor })).rejects.toEqual(refused);
    await points.clear();
    expect(await second.hosts.find('alpha')).toBe(undefined);
    expect(await problems(true)).toEqual(['archive']);
    expect(await second.relations.of(['alpha'])).toEqual([]);
    expect(await withRaw(url, (db) => db.collection('history').countDocuments())).toBe(0);
    expect(await problems(false)).toEqual([]);
  });

  it('a purge takes nothing from a host that is made anew meanwhile', async () => {
    await saveNames(second.hosts, ['alpha', 'beta']);
    await save(second.hosts, { alpha: { n: 1 } }, { at: minute(2) });
    await second.hosts.archive({ hostnames: ['alpha'], by: 'api', at: minute(5), scope: null, actor });
    // The first deletion is the host's, the next one that of what belonged to it.
    await points.set(appName, { commands: ['delete'], skip: 1, blockMs: 800 });
    const purged = first.hosts.purgeArchived(minute(9), { at: minute(9), actor });
    await expect.poll(async () => (await second.hosts.find('alpha')) === undefined).toBe(true);
    await sleep(200);
    for (const n of [2, 3]) await save(second.hosts, { alpha: { n } }, { at: minute(10 + n) });
    await second.relations.add({ hostname: 'alpha', type: 'runs_on', target: 'beta', source: 'manual' }, null);
    expect(await purged).toBe(1);
    await points.clear();
    const changes = (await second.history.ofHost('alpha', 10)).map((change) => change.changes);
    expect(changes).toEqual([[{ path: 'labels.n', before: 2, after: 3 }], []]);
    expect((await second.relations.of(['alpha'])).length).toBe(1);
    expect(await withRaw(url, (db) => db.collection('history').countDocuments())).toBe(1);
  });

  it.each([
    ...[0, 1].map((skip) => ['insert', skip] as const),
    ...[0, 1].map((skip) => ['delete', skip] as const),
    ...[0, 1, 2, 3].map((skip) => ['update', skip] as const),
  ])('a rename that was cut off at %s number %i did not happen or is finished', async (command, skip) => {
    await save(first.hosts, { alpha: { n: 1 }, other: {} }, { at: minute(1) });
    await save(first.hosts, { alpha: { n: 2 } }, { at: minute(2) });
    await first.relations.add({ hostname: 'other', type: 'runs_on', target: 'alpha', source: 'manual' }, null);
    await first.marks.putKeys({ accountId: red.id, keys: [{ hostname: 'alpha', value: 'serial=1' }], at: minute(1) });
    const request = { hosts: [{ from: 'alpha', to: 'beta' }], at: minute(5), actor };
    await points.set(appName, { commands: [command], skip, closeConnection: true });
    const answer = await first.hosts.rename(request).catch((error: unknown) => error);
    await points.clear();
    expect(await problems(true)).not.toContain('host alpha');
    expect(await problems(false)).toEqual([]);
    const all = await second.hosts.page({ filter: { scope: null, kind: 'all', state: 'any' }, offset: 0, limit: 9 });
    const [now = '', ...others] = all.map(({ hostname }) => hostname);
    expect(others).toEqual(['other']);
    expect(['alpha', 'beta']).toContain(now);
    if (Array.isArray(answer)) expect(now).toBe('beta');
    const kinds = (await second.history.ofHost(now, 9)).map(({ kind }) => kind);
    expect(kinds).toEqual([...(now === 'beta' ? ['renamed'] : []), 'labels', 'created']);
    expect((await second.relations.list('other', null))?.outgoing.map(({ target }) => target)).toEqual([now]);
    expect((await second.marks.holders(['serial=1'])).map(({ hostname }) => hostname)).toEqual([now]);
    if (now === 'alpha') expect(await second.hosts.rename(request)).toEqual(['renamed']);
    expect((await second.hosts.find('beta'))?.labels.value).toEqual({ n: 2 });
  });

  it('a rename that others take for cut off loses no host', async () => {
    await save(first.hosts, { alpha: { n: 1 } }, { at: minute(1) });
    await points.set(appName, { commands: ['delete'], blockMs: 1_500 });
    const renamed = first.hosts.rename({ hosts: [{ from: 'alpha', to: 'beta' }], at: minute(5), actor });
    await expect.poll(async () => (await second.hosts.find('beta')) !== undefined).toBe(true);
    await problems(true);
    await points.clear();
    expect(await renamed).toEqual(['renamed']);
    expect(await second.hosts.find('alpha')).toBe(undefined);
    expect((await second.hosts.find('beta'))?.labels.value).toEqual({ n: 1 });
    // The sign of a writer that waited for so long ran out.
    await problems(true);
    expect(await problems(false)).toEqual([]);
  });

  it('a host that somebody writes while it is renamed keeps what was written', async () => {
    await save(first.hosts, { alpha: { n: 1 } }, { at: minute(1) });
    await points.set(appName, { commands: ['delete'], blockMs: 1_000 });
    const renamed = first.hosts.rename({ hosts: [{ from: 'alpha', to: 'beta' }], at: minute(5), actor });
    await expect.poll(async () => (await second.hosts.find('beta')) !== undefined).toBe(true);
    await save(second.hosts, { alpha: { n: 2 } }, { at: minute(6) });
    await points.clear();
    expect(await renamed).toEqual(['renamed']);
    expect((await second.hosts.find('beta'))?.labels.value).toEqual({ n: 2 });
    // The sign of a writer that waited for so long ran out.
    await problems(true);
    expect(await problems(false)).toEqual([]);
  });

  /** Another host of that name, and as many times written. */
  async function madeAnew(labels: Record<string, number>): Promise<void> {
    const purge = { hostnames: ['alpha'], scope: null, at: minute(6), actor };
    await second.hosts.archive({ hostnames: ['alpha'], by: 'api', at: minute(5), scope: null, actor });
    expect(await second.hosts.purge(purge)).toEqual(['purged']);
    await save(second.hosts, { alpha: labels }, { at: minute(1) });
  }

  it('a host that is deleted and made anew between being read and being written is decided again', async () => {
    await save(first.hosts, { alpha: { n: 1 } }, { at: minute(1) });
    await points.set(appName, { commands: ['update'], blockMs: 1_500 });
    const entries = [{ hostname: 'alpha', key: 'hw', section: StoredJson.ofValue({ cpus: 4 }) }];
    const saved = first.hosts.saveInventory({ entries, scope: null, at: minute(7), actor });
    await sleep(250);
    await madeAnew({ n: 2 });
    await points.clear();
    await saved;
    const host = await second.hosts.find('alpha');
    expect([host?.labels.value, host?.inventory.value]).toEqual([{ n: 2 }, { hw: { cpus: 4 } }]);
    const kinds = (await second.history.ofHost('alpha', 9)).map(({ kind }) => kind);
    expect(kinds).toEqual(['inventory', 'created']);
    expect(await problems(false)).toEqual([]);
  });

  it('a rename takes nothing from a host that is made anew meanwhile', async () => {
    await save(first.hosts, { alpha: { n: 1 } }, { at: minute(1) });
    await points.set(appName, { commands: ['delete'], blockMs: 1_500 });
    const renamed = first.hosts.rename({ hosts: [{ from: 'alpha', to: 'beta' }], at: minute(7), actor });
    await expect.poll(async () => (await second.hosts.find('beta')) !== undefined).toBe(true);
    await madeAnew({ n: 2 });
    await points.clear();
    expect(await renamed).toEqual(['renamed']);
    expect(await second.hosts.find('alpha')).toBe(undefined);
    expect((await second.hosts.find('beta'))?.labels.value).toEqual({ n: 2 });
    await problems(true);
    expect(await problems(false)).toEqual([]);
  });

  it('a host that is deleted for good while it is renamed does not come back', async () => {
    await save(first.hosts, { alpha: { n: 1 } }, { at: minute(1) });
    await second.hosts.archive({ hostnames: ['alpha'], by: 'api', at: minute(5), scope: null, actor });
    await points.set(appName, { commands: ['delete'], blockMs: 1_500 });
    const renamed = first.hosts.rename({ hosts: [{ from: 'alpha', to: 'beta' }], at: minute(7), actor });
    await expect.poll(async () => (await second.hosts.find('beta')) !== undefined).toBe(true);
    const purge = { hostnames: ['alpha'], scope: null, at: minute(6), actor };
    expect(await second.hosts.purge(purge)).toEqual(['purged']);
    await points.clear();
    expect(await renamed).toEqual(['not_found']);
    expect(await second.hosts.find('beta')).toBe(undefined);
    await problems(true);
    expect(await problems(false)).toEqual([]);
  });

  it('a host larger than a document can be is refused by name', async () => {
    const section = StoredJson.ofText<Record<string, string>>(JSON.stringify({ text: 'x'.repeat(17_000_000) }));
    await saveNames(first.hosts, ['alpha']);
    const entries = [{ hostname: 'alpha', key: 'facts', section }];
    // Whoever allows hosts that are larger than a document of this database.
    const generous = openStorage(url, 600, 64 * 1024 * 1024);
    await generous.start();
    try {
      const write = generous.hosts.saveInventory({ entries, scope: null, at: minute(2), actor });
      await expect(write).rejects.toEqual(
        expect.objectContaining({ code: 'too_large', message: expect.stringContaining('alpha') }),
      );
    } finally {
      await generous.stop();
    }
    expect((await first.hosts.find('alpha'))?.accountId).toBe(red.id);
  });
});
