import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { type CuttableLine, cuttableLine } from '../../test/support/cuttable-line.ts';
import { hasPooler, startPooler } from '../../test/support/pooler.ts';
import { type PostgresqlServer, startPostgresqlServer } from '../../test/support/postgresql-server.ts';
import { type Random, seededRandom } from '../faults/support/random.ts';
import { databaseOf } from '../support/api.ts';
import { NO_POSTGRESQL } from '../support/shared-stores.ts';
import { Workplace } from '../support/workplace.ts';
import { Cluster, clockOff } from './support/cluster.ts';
import { Load, NODE_ENVIRONMENT, prepareLoad } from './support/load.ts';
import { LONG_JOB, readNotes } from './support/noted-work.ts';
import { type Pager, startPager } from './support/pager.ts';

/**
 * Several nodes on a real PostgreSQL behind a proxy, with everything that users and schedules do going on meanwhile. Whatever breaks: acknowledged
 * writes are there, each cron group and account runs once, nobody is logged out, and each notification goes out.
 */

/** How often nodes are killed, in all. */
const KILLS = Number(process.env.NODES_KILLS ?? 20);
const MINUTE_MS = 60_000;

let random: Random;
let server: PostgresqlServer;
let place: Workplace;
let pager: Pager;
let cluster: Cluster;
let load: Load;
let lines: CuttableLine[] = [];
let pooler: Awaited<ReturnType<typeof startPooler>> | undefined;

// One cluster at a time: the machine is busy with it.
test.describe.configure({ mode: 'default' });
test.skip(NO_POSTGRESQL !== undefined, NO_POSTGRESQL);

test.beforeEach(async () => {
  random = seededRandom();
  // What is acknowledged is kept when the server dies.
  server = await startPostgresqlServer({ synchronous_commit: 'on', full_page_writes: 'on' });
  pager = await startPager();
});

test.afterEach(async () => {
  await load?.close();
  await cluster?.close();
  await place?.close();
  await pager?.close();
  await pooler?.stop();
  pooler = undefined;
  for (const line of lines.splice(0)) await line.close();
  await server?.stop();
});

/** Starts the nodes and the load. Each has what stands in its environment beside what all have. */
async function start(environments: readonly Record<string, string>[], url = databaseOf(server.url)): Promise<void> {
  place = await Workplace.create({ SERVICE_DATABASE_URL: url, ...NODE_ENVIRONMENT });
  await prepareLoad(place, pager);
  cluster = await Cluster.start(place, environments);
  load = await Load.begin(cluster, pager, random);
}

const nodes = (count: number): Record<string, string>[] => Array.from({ length: count }, () => ({}));

function told(figures: string): void {
  console.log(`${test.info().title}: ${figures}`);
}

/** What the proxy or a node says while there is no database or no node. */
function expectNotNow(refused: readonly { readonly status: number; readonly text: string }[]): void {
  expect(refused.filter(({ status }) => status !== 502 && status !== 503)).toEqual([]);
}

for (const count of [2, 4]) {
  test(`a rolling restart of ${count} nodes under load refuses nothing`, { tag: '@thorough' }, async () => {
    test.setTimeout(10 * MINUTE_MS);
    await start(nodes(count));
    for (let index = 0; index < count; index++) {
      const refused = await load.while(
        async () => {
          expect(await cluster.stop(index)).toBe(0);
          await cluster.begin(index);
          // The proxy has seen that it is ready again.
          await pause(500);
        },
        (index + 1) % count,
      );
      expect(refused).toEqual([]);
    }
    told(await load.end());
    expect(load.unanswered).toBe(0);
  });
}

for (const [count, kills] of [
  [2, Math.ceil(KILLS * 0.4)],
  [4, Math.floor(KILLS * 0.6)],
] as const) {
  test(`any of ${count} nodes is killed at ${kills} moments`, { tag: '@thorough' }, async () => {
    test.setTimeout(kills * MINUTE_MS + 10 * MINUTE_MS);
    await start(nodes(count));
    const starting = new Map<number, Promise<void>>();
    for (let round = 0; round < kills; round++) {
      // Most are there when one of them dies.
      while (cluster.running.length < Math.max(2, count - 1)) await Promise.race(starting.values());
      const victim = random.one(cluster.running);
      const refused = await load.while(
        async () => {
          await pause(random.below(400));
          await cluster.kill(victim);
          const begun = cluster.begin(victim).finally(() => starting.delete(victim));
          starting.set(victim, begun);
          // The proxy has seen that it is gone.
          await pause(300);
        },
        (victim + 1) % count,
      );
      expectNotNow(refused);
    }
    await Promise.all(starting.values());
    told(`${cluster.kills.length} kills; ${await load.end()}`);
  });
}

for (const how of ['orderly', 'crashed'] as const) {
  test(`the primary is restarted: ${how}`, { tag: '@thorough' }, async () => {
    test.setTimeout(10 * MINUTE_MS);
    test.skip(server.restart === undefined, 'the server was given, and is not ours to restart');
    await start(nodes(2));
    for (let round = 0; round < 3; round++) {
      const refused = await load.while(async () => {
        await server.restart?.(how);
        await ready(cluster.running);
      });
      expectNotNow(refused);
    }
    told(await load.end());
  });
}

const CUTS = [
  { what: 'is dropped', begin: (line: CuttableLine) => line.cut(), end: (line: CuttableLine) => line.mend() },
  { what: 'leads nowhere', begin: async (line: CuttableLine) => line.choke(0), end: async () => undefined },
] as const;

for (const { what, begin, end } of CUTS) {
  test(`the line of one node to the database ${what}, and the other goes on`, { tag: '@thorough' }, async () => {
    test.setTimeout(10 * MINUTE_MS);
    const url = databaseOf(server.url);
    lines = [await cuttableLine(url), await cuttableLine(url)];
    await start(
      lines.map((line) => ({ SERVICE_DATABASE_URL: line.url })),
      url,
    );
    // It lasts longer than the other node waits for whoever has it.
    await load.ask(LONG_JOB);
    const holder = async () => cluster.placeOf((await readNotes(place)).going.get(LONG_JOB));
    await expect.poll(holder, { timeout: 60_000 }).toBeDefined();
    const cutOff = (await holder()) ?? 0;
    const line = lines[cutOff] as CuttableLine;
    const refused = await load.while(async () => {
      await begin(line);
      await unready(cutOff);
      await expect.poll(holder, { timeout: MINUTE_MS }).toBe(1 - cutOff);
      await end(line);
      await ready([0, 1]);
    }, 1 - cutOff);
    expectNotNow(refused);
    told(await load.end());
  });
}

test('a pooler in transaction mode stands between, and nodes are killed', { tag: '@thorough' }, async () => {
  test.setTimeout(10 * MINUTE_MS);
  test.skip(!hasPooler, 'PgBouncer is not installed here');
  pooler = await startPooler(server.url);
  await start(nodes(2), databaseOf(pooler.url));
  expect(await load.while(() => pause(3_000))).toEqual([]);
  for (const victim of [0, 1]) {
    const refused = await load.while(async () => {
      await cluster.kill(victim);
      await cluster.begin(victim);
    }, 1 - victim);
    expectNotNow(refused);
  }
  told(await load.end());
});

test('the clocks of two nodes are a minute apart', { tag: '@thorough' }, async () => {
  test.setTimeout(10 * MINUTE_MS);
  await start([clockOff(MINUTE_MS), {}]);
  for (let round = 0; round < 5; round++) expect(await load.while(() => pause(2_000), round % 2)).toEqual([]);
  told(await load.end());
});

async function readiness(index: number): Promise<number> {
  return (await fetch(`${cluster.urlOf(index)}/readyz`)).status;
}

async function ready(indexes: readonly number[]): Promise<void> {
  for (const index of indexes) await expect.poll(() => readiness(index), { timeout: 2 * MINUTE_MS }).toBe(200);
}

async function unready(index: number): Promise<void> {
  await expect.poll(() => readiness(index), { timeout: 2 * MINUTE_MS }).toBe(503);
}
