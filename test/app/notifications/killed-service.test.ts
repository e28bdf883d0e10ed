import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import type { Notification, Storage } from '../../../src/ports/index.ts';
import { faultyServer } from '../../../src/testing/faulty-server.ts';
import { dropDatabase, freshUrl, openStorage, withRaw } from '../../adapters/mongodb/harness.ts';
import { openSqlite } from '../../adapters/sqlite/sqlite-harness.ts';

// The service as people run it, from dist/, killed while it tells receivers that fail, answer late and lose answers.

const program = fileURLToPath(new URL('../../../bin/muster', import.meta.url));
const KILLS = process.env.THOROUGH === '1' ? 20 : 3;
const LONGEST_LIFE_MS = 12_000;
const HOUR_MS = 60 * 60_000;

/** A store that the killed service and the test share. */
interface SharedStore {
  readonly url: string;
  readonly storage: Storage;
  /** How often something happens; the substitute of MongoDB's server sends a tenth of what SQLite does. */
  readonly everyMs: number;
  /** Nobody has to wait until leases and pauses are over. */
  anHourPasses(): Promise<void>;
}

const STORES: Readonly<Record<string, (folder: string) => Promise<SharedStore>>> = {
  SQLite: sqliteStore,
  MongoDB: mongodbStore,
};

it.each(Object.entries(STORES))(
  `over %s notifications survive ${KILLS} kills: none is lost, each receiver has them in order, and one that comes twice has one id`,
  async (_, open) => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-outbox-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { url, storage, everyMs, anHourPasses } = await open(folder);
    onTestFinished(() => storage.stop());
    const options = serviceOptions(folder, url);
    const receivers = { first: await receiver(1), second: await receiver(2) };
    onTestFinished(async () => {
      await receivers.first.close();
      await receivers.second.close();
    });
    const muster = (...args: string[]) => promisify(execFile)(process.execPath, [program, ...args], options);
    for (const [name, { address }] of Object.entries(receivers)) {
      await muster('account', 'add', name, '--type', 'webhook', '--set', `url=${address}`);
    }
    const policy = { name: 'all', enabled: true, receivers: Object.keys(receivers), cool_down_minutes: 0 };
    await writeFile(join(folder, 'policy.json'), JSON.stringify({ rules: { notification_policies: [policy] } }));
    await muster('rules', 'import', 'policy.json');
    // What was before the first look is no news.
    await muster('notification', 'send');

    let failures = 0;
    for (let life = 0; life < KILLS; life++) {
      const service = spawn(process.execPath, [program, 'serve'], { ...options, stdio: 'ignore' });
      const exited = once(service, 'exit');
      const requests = life % 7;
      for (const each of Object.values(receivers)) each.killAfter(requests, service);
      const from = performance.now();
      while (service.signalCode === null && performance.now() - from < LONGEST_LIFE_MS) {
        await appendFailure(storage, ++failures);
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
      service.kill('SIGKILL');
      expect((await exited)[1]).toBe('SIGKILL');
      await anHourPasses();
    }

    for (const each of Object.values(receivers)) each.recover();
    await expect
      .poll(
        async () => {
          await anHourPasses();
          await muster('notification', 'send');
          return (await storage.outbox.backlog()).waiting;
        },
        { timeout: 180_000 },
      )
      .toBe(0);
    expect((await storage.outbox.counts()).dead).toBe(0);
    const wanted = Array.from({ length: failures }, (_, index) => index + 1);
    for (const { taken } of Object.values(receivers)) {
      const numbers = taken.map(({ title }) => Number(/failure (\d+)$/.exec(title)?.[1]));
      expect([...new Set(numbers)]).toEqual(wanted);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      expect(new Set(taken.map(({ id, title }) => `${id} ${title}`)).size).toBe(failures);
      expect(new Set(taken.map(({ id }) => id)).size).toBe(failures);
    }
    const lost = Object.values(receivers).map(({ taken }) => taken.length - failures);
    expect(lost.some((count) => count > 0)).toBe(true);
  },
  900_000,
);

function serviceOptions(folder: string, url: string) {
  return { cwd: folder, env: { PATH: process.env.PATH, SERVICE_DATABASE_URL: url, SERVICE_HTTP_PORT: '0' } };
}

async function sqliteStore(folder: string): Promise<SharedStore> {
  const file = join(folder, 'muster.db');
  return {
    url: `sqlite:${file}`,
    storage: await openSqlite(file),
    everyMs: 100,
    async anHourPasses() {
      const database = new Database(file);
      database
        .prepare('UPDATE outbox SET due_at = max(0, due_at - ?), lease_until = max(0, lease_until - ?)')
        .run(HOUR_MS, HOUR_MS);
      database.close();
    },
  };
}

async function mongodbStore(): Promise<SharedStore> {
  const url = await freshUrl();
  const storage = openStorage(url);
  await storage.start();
  onTestFinished(() => dropDatabase(url));
  return {
    url,
    storage,
    everyMs: 500,
    anHourPasses: () =>
      withRaw(url, async (database) => {
        const outbox = database.collection('outbox');
        await outbox.updateMany({ state: 'waiting' }, { $inc: { dueAt: -HOUR_MS, leaseUntil: -HOUR_MS } });
      }),
  };
}

/** A receiver that fails, is late and loses its answers, each at its turn, until it recovers; and kills who sends at a request. */
async function receiver(seed: number) {
  const taken: Notification[] = [];
  let isWell = false;
  let left = Number.POSITIVE_INFINITY;
  let victim: ChildProcess | undefined;
  const server = await faultyServer(async (response, { body }, number) => {
    const turn = (number * 7 + seed * 3) % 10;
    const isKilling = --left < 0;
    if (!isWell && turn === 0 && !isKilling) {
      response.writeHead(503).end();
      return;
    }
    taken.push(JSON.parse(body) as Notification);
    if (isKilling) victim?.kill('SIGKILL');
    if (!isWell && turn === 1) await new Promise((resolve) => setTimeout(resolve, 300));
    if (!isWell && (turn === 2 || isKilling)) response.destroy();
    else response.writeHead(200).end();
  });
  return {
    address: server.address,
    taken,
    close: () => server.close(),
    killAfter(requests: number, child: ChildProcess) {
      left = requests;
      victim = child;
    },
    recover() {
      isWell = true;
      left = Number.POSITIVE_INFINITY;
    },
  };
}

async function appendFailure({ logs }: Storage, number: number): Promise<void> {
  const message = `failure ${number}`;
  await logs.append({
    id: number.toString(16).padStart(24, '0'),
    at: new Date(),
    source: 'import:crm',
    message: `Import of crm failed: ${message}`,
    details: [{ level: 'error', message }],
    hasError: true,
  });
}
