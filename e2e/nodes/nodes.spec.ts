import { type APIRequestContext, expect, request, test } from '@playwright/test';
import { type CuttableLine, cuttableLine } from '../../test/support/cuttable-line.ts';
import { databaseOf, PASSWORD } from '../support/api.ts';
import { RunningService } from '../support/running-service.ts';
import { SHARED_STORES } from '../support/shared-stores.ts';
import { ROOT, Workplace } from '../support/workplace.ts';

/** Two nodes share one database; the sample gives the same inventory from every store. */

const KEY = 'ab'.repeat(32);
/** How long the database is away. */
const OUTAGE_MILLISECONDS = 20_000;

let server: { readonly url: string; stop(): Promise<void> };
let line: CuttableLine;
let place: Workplace;
let nodes: { service: RunningService; api: APIRequestContext }[] = [];

function node(index: number): APIRequestContext {
  return (nodes[index] as { api: APIRequestContext }).api;
}

for (const { name: store, missing, start } of SHARED_STORES) {
  test.describe(`over ${store}`, () => {
    test.describe.configure({ mode: 'serial' });

    test.beforeAll(async () => {
      test.skip(missing !== undefined, missing);
      server = await start();
      line = await cuttableLine(server.url);
      place = await Workplace.create({ SERVICE_DATABASE_URL: databaseOf(line.url), SERVICE_INSTANCE_KEY: KEY });
      await place.done(['user', 'add', 'olga', '--role', 'all', '--password-stdin'], { input: PASSWORD });
      for (const account of ['red', 'blue']) await place.done(['account', 'add', account, '--type', 'api']);
      nodes = await Promise.all(
        [1, 2].map(async () => {
          const service = await RunningService.start(place);
          const httpCredentials = { username: 'olga', password: PASSWORD, send: 'always' as const };
          return { service, api: await request.newContext({ baseURL: service.url, httpCredentials }) };
        }),
      );
    });

    test.afterAll(async () => {
      for (const { service, api } of nodes.splice(0)) {
        await api.dispose();
        await service.stop();
      }
      await place?.close();
      await line?.close();
      await server?.stop();
    });

    test('bulk writes on two nodes leave one owner a host and lose no update', async () => {
      const names = Array.from({ length: 200 }, (_, n) => `host${n}`);
      const bulk = (index: number, account: string, list: readonly string[]) =>
        node(index).post('/api/v1/objects/bulk', {
          data: { account, objects: list.map((hostname) => ({ hostname, labels: { account } })) },
        });
      const answers = await Promise.all([bulk(0, 'red', names), bulk(1, 'blue', names.toReversed())]);
      const refused = await Promise.all(answers.map(async (answer) => (await answer.json())['not-saved'] as string[]));
      expect(new Set(refused.flat()).size).toBe(200);
      expect(refused.flat()).toHaveLength(200);
      const [redRefused] = refused as [string[], string[]];
      for (const hostname of names.slice(0, 20)) {
        const host = await (await node(1).get(`/api/v1/objects/${hostname}`)).json();
        expect(host.labels.account).toBe(redRefused.includes(hostname) ? 'blue' : 'red');
      }
    });

    test('a rule that one node takes is in the next answer of the other', async () => {
      const host = '/api/v1/inventory/automation/automation?host=host1';
      expect(await (await node(1).get(host)).json()).not.toHaveProperty('made');
      const rule = {
        name: 'made',
        enabled: true,
        condition_typ: 'anyway',
        outcomes: [{ attribute_name: 'made', attribute_value: 'yes' }],
      };
      expect((await node(0).post('/api/v1/rules/custom_attributes', { data: rule })).status()).toBe(201);
      await expect
        .poll(async () => (await (await node(1).get(host)).json()).made, { timeout: 1_000, intervals: [50] })
        .toBe('yes');
    });

    test('both nodes outlive a database that is away, say so meanwhile, and recover by themselves', {
      tag: '@thorough',
    }, async () => {
      test.setTimeout(120_000);
      await line.cut();
      const until = Date.now() + OUTAGE_MILLISECONDS;
      while (Date.now() < until) {
        for (const index of [0, 1]) {
          const answer = await node(index).get('/api/v1/objects/host1');
          expect(answer.status()).toBe(503);
          expect(Number(answer.headers()['retry-after'])).toBeGreaterThan(0);
          expect((await node(index).get('/readyz')).status()).toBe(503);
          expect((await node(index).get('/healthz')).status()).toBe(200);
        }
      }
      await line.mend();
      for (const index of [0, 1]) {
        await expect
          .poll(async () => (await node(index).get('/api/v1/objects/host1')).status(), { timeout: 30_000 })
          .toBe(200);
      }
    });
  });
}

test('the sample gives the same inventory from SQLite, PostgreSQL and MongoDB', { tag: '@thorough' }, async () => {
  test.setTimeout(300_000);
  const own = await Workplace.create();
  const stores = SHARED_STORES.filter(({ missing }) => missing === undefined);
  const servers = await Promise.all(stores.map(({ start }) => start()));
  try {
    const inventories = [];
    for (const database of ['sqlite:data/same.db', ...servers.map(({ url }) => databaseOf(url))]) {
      const environment = { SERVICE_DATABASE_URL: database };
      const sample = `${ROOT}sample/wikimedia-nodes.csv`;
      await own.done(['account', 'add', 'wikimedia', '--type', 'csv', '--set', `path=${sample}`], { environment });
      await own.done(['import', 'wikimedia'], { environment });
      await own.done(['rules', 'import', `${ROOT}sample/rules.json`], { environment });
      inventories.push(await own.done(['inventory', 'automation', '--list'], { environment }));
    }
    const [first, ...others] = inventories;
    expect(first?.length).toBeGreaterThan(100_000);
    expect(others.map((inventory) => inventory === first)).toEqual(stores.map(() => true));
  } finally {
    for (const server of servers) await server.stop();
    await own.close();
  }
});
