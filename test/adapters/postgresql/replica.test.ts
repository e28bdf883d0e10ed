import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database, Sql } from '../../../src/adapters/storage/postgresql/database.ts';
import { postgresqlDriver } from '../../../src/adapters/storage/postgresql/driver.ts';
import { postgresqlReplica } from '../../../src/adapters/storage/postgresql/replica.ts';
import { replicaSettingsOf } from '../../../src/adapters/storage/postgresql/settings.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import { runDoctor } from '../../../src/app/maintenance/operations/run-doctor.ts';
import { type Logger, type Storage, StoredJson } from '../../../src/ports/index.ts';
import { red } from '../../../src/testing/samples.ts';
import { OperationsApp } from '../../app/operations/operations-app.ts';
import { databaseIsUp, query, startDatabase, startReplica } from '../../servers/database-server.ts';
import { endProcess, type Started } from '../../servers/processes.ts';
import { type CuttableLine, cuttableLine } from '../../support/cuttable-line.ts';
import { hasPostgresql } from '../../support/postgresql-server.ts';

const EVERY = { scope: null, kind: 'all', state: 'any' } as const;

let told: string[];
const logger: Logger = {
  debug() {},
  info: (message) => told.push(message),
  warn: (message, fields) => told.push(`${message}: ${String(fields?.reason)}`),
  error() {},
  child: () => logger,
};

beforeEach(() => {
  told = [];
});

/** A database that has so many hosts, whose names begin as given. */
class FakeDatabase implements Sql {
  state: readonly unknown[];
  readonly names: readonly string[];
  pages = 0;
  readonly settings = { server: 'replica:5432', statementMs: 50 } as Database['settings'];

  constructor(name: string, count: number, isReplica: boolean) {
    this.state = [7, 3, 'feed 1000', isReplica, isReplica ? 2 : null];
    this.names = Array.from({ length: count }, (_, index) => `${String(index).padStart(6, '0')}-${name}`);
  }

  async rows<Row extends readonly unknown[]>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    if (text.includes('pg_is_in_recovery')) return [this.state] as readonly unknown[] as readonly Row[];
    this.pages++;
    const after = values.find((value) => typeof value === 'string') ?? '';
    const limit = Number(/LIMIT (\d+)/.exec(text)?.[1]);
    const found = this.names.filter((name) => name.slice(0, 6) > String(after).slice(0, 6)).slice(0, limit);
    const rows = found.map((name) => [name, null, false, '', '{}', '{}', '{}', null, 0, null, null, null, null]);
    return rows as readonly unknown[] as readonly Row[];
  }

  async run(): Promise<number> {
    throw new Error('nothing is written');
  }

  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return work(this);
  }
}

async function namesOf(hosts: AsyncIterable<readonly { readonly hostname: string }[]>): Promise<string[]> {
  const names: string[] = [];
  for await (const batch of hosts) names.push(...batch.map(({ hostname }) => hostname.split('-')[1] ?? ''));
  return names;
}

describe('a replica of PostgreSQL', () => {
  let primary: FakeDatabase;
  let copy: FakeDatabase;
  let replica: ReturnType<typeof postgresqlReplica>;

  beforeEach(() => {
    primary = new FakeDatabase('primary', 4_500, false);
    copy = new FakeDatabase('copy', 4_500, true);
    replica = postgresqlReplica(primary, copy, logger);
  });

  afterEach(() => vi.useRealTimers());

  const sources = async (): Promise<string[]> => [...new Set(await namesOf(replica.scan(EVERY, 250)))];

  it('is read while it has what the primary had when the reading began, or more', async () => {
    expect(await sources()).toEqual(['copy']);
    copy.state = [8, 3, 'feed 1000', true, 0];
    expect(await sources()).toEqual(['copy']);
    expect(primary.pages).toBe(0);
    expect(await replica.state()).toEqual({ behindSeconds: 0 });
  });

  it('is not read when it lacks a change or has another one in its place, which is logged once when it lasts', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    copy.state = [6, 3, 'feed 1000', true, 2];
    expect(await sources()).toEqual(['primary']);
    expect(await replica.state()).toEqual({ behindSeconds: 2 });
    copy.state = [9, 3, 'feed 1001', true, 2];
    expect(await sources()).toEqual(['primary']);
    expect(told).toEqual([]);
    vi.setSystemTime(Date.now() + 61_000);
    for (let times = 0; times < 3; times++) expect(await sources()).toEqual(['primary']);
    expect(told).toEqual(['The replica of the database is not read: it is behind']);
    copy.state = primary.state.with(3, true);
    expect(await sources()).toEqual(['copy']);
    expect(told.slice(1)).toEqual(['The replica of the database is read again']);
  });

  it('is left within a reading when it goes back in time, as another one behind the same address does', async () => {
    copy.state = [9, 3, 'feed 1000', true, 0];
    const reading = replica.scan(EVERY, 250)[Symbol.asyncIterator]();
    await reading.next();
    copy.state = [8, 3, 'feed 1000', true, 0];
    const rest = await namesOf({ [Symbol.asyncIterator]: () => reading });
    expect(rest).toHaveLength(4_250);
    expect([...new Set(rest)]).toEqual(['copy', 'primary']);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['takes writes', async () => undefined, 'It is not a replica: it takes writes of its own.'],
    [
      'cannot be reached',
      () => Promise.reject(new Error('closed')),
      'The database does not answer. Try again shortly.',
    ],
    ['never answers', () => new Promise(() => undefined), 'It takes too long.'],
  ])('that %s is left alone for a while, which is logged once', async (_, snapshot, reason) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    if (reason.startsWith('It is not')) copy.state = primary.state;
    else copy.snapshot = vi.fn(snapshot) as never;
    expect(await sources()).toEqual(['primary']);
    expect(told).toEqual([`The replica of the database is not read: ${reason}`]);
    expect(await replica.state()).toEqual({ fault: reason });
    const asked = vi.spyOn(copy, 'snapshot').mockClear();
    expect(await sources()).toEqual(['primary']);
    expect(asked).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + 31_000);
    expect(await sources()).toEqual(['primary']);
    expect(asked).toHaveBeenCalled();
    expect(told).toHaveLength(1);
  });

  it('has the schema of its primary, the password of both or its own, and faults by its own key', async () => {
    const of = async (address: string) => {
      const { pool, schema } = await replicaSettingsOf(address, process.cwd(), {
        schema: 'cmdb',
        password: async () => 'both',
      });
      return [schema, typeof pool.password === 'function' ? await pool.password() : pool.password];
    };
    expect(await of('postgresql://ada@copy/x')).toEqual(['cmdb', 'both']);
    expect(await of('postgresql://ada:own@copy/x')).toEqual(['cmdb', 'own']);
    await expect(of('postgresql://ada@copy/x?sslmode=prefer')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^DATABASE_REPLICA_URL cannot be used: sslmode=prefer/),
    });
  });
});

/** Says where each reading goes by what the servers log. */
const LOGGED = { log_statement: 'all' };
const ADMITS = 'host all all 127.0.0.1/32 scram-sha-256\nhost replication all 127.0.0.1/32 scram-sha-256';

describe.skipIf(!hasPostgresql || !process.env.THOROUGH)('a streaming replica', () => {
  let folders: readonly string[];
  let primary: Awaited<ReturnType<typeof startDatabase>>;
  let copy: Awaited<ReturnType<typeof startReplica>>;
  let running: Started;
  let line: CuttableLine;
  let storage: Storage;
  let muster: OperationsApp;

  const onCopy = (...statements: readonly string[]) => query({ ...copy.login, database: 'muster' }, ...statements);

  beforeAll(async () => {
    folders = await Promise.all(['primary', 'copy'].map((name) => mkdtemp(join(tmpdir(), `muster-${name}-`))));
    const [ofPrimary = '', ofCopy = ''] = folders;
    primary = await startDatabase(ofPrimary, { admits: ADMITS });
    await databaseIsUp(primary.started, primary.login, 'CREATE DATABASE muster');
    copy = await startReplica(ofCopy, primary.login, LOGGED);
    running = copy.started;
    await databaseIsUp(running, copy.login);
    const address = ({ port, user, password }: typeof primary.login) =>
      `postgresql://${user}:${password}@127.0.0.1:${port}/muster?sslmode=disable`;
    line = await cuttableLine(address(copy.login));
    const opened = await postgresqlDriver.open(
      address(primary.login),
      {
        workingDirectory: ofCopy,
        maxHostBytes: 1_000_000,
        mustExist: false,
        mayUpgrade: true,
        replica: line.url,
      },
      { logger, clock: systemClock },
    );
    ({ storage } = opened);
    await storage.start();
    muster = await OperationsApp.over(storage);
  });

  afterAll(async () => {
    await muster?.stop();
    await storage?.stop();
    await line?.close();
    for (const server of [running, primary?.started]) if (server !== undefined) await endProcess(server);
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  const save = (hostname: string) =>
    storage.hosts.saveLabels({
      account: red,
      entries: [{ hostname, labels: StoredJson.ofText('{}') }],
      at: new Date(),
      actor: { kind: 'account', name: 'red' },
    });

  /** The hosts of the inventory, and whether the replica gave them. */
  async function rendered() {
    const log = join(folders[1] ?? '', 'log');
    const readings = async () => (await readFile(log, 'utf8')).split('FROM muster.hosts h JOIN').length;
    const before = await readings();
    // A service of its own, which has kept no inventory.
    const muster = await OperationsApp.serving(storage);
    const { all } = (await muster.read(renderInventory, { provider: 'automation' })) as { all: { hosts: string[] } };
    await muster.stop();
    return { hosts: all.hosts, byReplica: (await readings()) > before };
  }

  const replicaFinding = async () =>
    (await muster.run(runDoctor, {})).findings.find(({ check }) => check === 'replica');

  async function caughtUp(): Promise<void> {
    await vi.waitUntil(async () => (await rendered()).byReplica, { timeout: 30_000, interval: 100 });
  }

  it('gives the hosts of whole inventories, and never an older state than the primary has', async () => {
    await save('alpha');
    await caughtUp();
    expect(await rendered()).toEqual({ hosts: ['alpha'], byReplica: true });
    expect(await replicaFinding()).toMatchObject({ ok: true, message: '0 s behind' });

    await onCopy('SELECT pg_wal_replay_pause()');
    await save('beta');
    expect(await rendered()).toEqual({ hosts: ['alpha', 'beta'], byReplica: false });
    expect(await replicaFinding()).toMatchObject({ ok: true, message: expect.stringMatching(/^\d+ s behind$/) });
    await onCopy('SELECT pg_wal_replay_resume()');
    await caughtUp();
    expect(await rendered()).toEqual({ hosts: ['alpha', 'beta'], byReplica: true });
  });

  it('may hang, stop and become a primary: renderings go on, and doctor reports it', async () => {
    line.choke(0);
    const from = performance.now();
    expect((await rendered()).byReplica).toBe(false);
    expect(performance.now() - from).toBeLessThan(10_000);
    await endProcess(running);
    expect((await rendered()).byReplica).toBe(false);
    expect(await replicaFinding()).toMatchObject({ ok: false, message: expect.stringContaining('cannot be used') });
    running = copy.startAgain();
    await databaseIsUp(running, copy.login, 'SELECT pg_promote()');
    expect((await rendered()).byReplica).toBe(false);
    expect(await replicaFinding()).toMatchObject({ ok: false, message: expect.stringContaining('not a replica') });
  });
});
