import { setTimeout as pause } from 'node:timers/promises';
import { type CuttableLine, cuttableLine } from '../../test/support/cuttable-line.ts';
import { type MongodbServer, startMongodbServer } from '../../test/support/mongodb-server.ts';
import { type Answer, Api, addUsers, basic, databaseOf, expect, PASSWORD, test } from '../support/api.ts';
import { RunningService } from '../support/running-service.ts';
import { Workplace } from '../support/workplace.ts';
import { takeRemaindersAway, withoutAuditEntry } from './support/checks.ts';
import { Oracle } from './support/oracle.ts';
import { seededRandom } from './support/random.ts';
import { Writer } from './support/writer.ts';

/** MongoDB hangs, goes away or is slow: calls end and say why, and everything goes on by itself without lost or doubled writes. */

/** Longer than any call may take: one answer of the database, and what finding it again takes. */
const DEADLINE_MS = 28_000;
const READY_DEADLINE_MS = 10_000;
const WRITERS = 3;

let server: MongodbServer;
let line: CuttableLine;
let place: Workplace;
let service: RunningService;
let api: Api;

test.beforeEach(async () => {
  server = await startMongodbServer();
  line = await cuttableLine(server.url);
  place = await Workplace.create({ SERVICE_DATABASE_URL: databaseOf(line.url) });
  await addUsers(place, { root: { api_roles: ['all'], global_admin: true } }, ['crm']);
  service = await RunningService.start(place);
  api = await Api.open(service.url, basic('root', PASSWORD));
});

test.afterEach(async () => {
  await api?.close();
  await service?.kill();
  await place?.close();
  await line?.close();
  await server?.stop();
});

interface Outage {
  readonly what: string;
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
}

const OUTAGES: readonly Outage[] = [
  {
    what: 'hangs',
    begin: async () => server.hang?.pause(),
    end: async () => server.hang?.resume(),
  },
  { what: 'is gone', begin: () => line.cut(), end: () => line.mend() },
  { what: 'answers after a minute', begin: async () => line.delay(60_000), end: async () => line.delay(0) },
];

for (const { what, begin, end } of OUTAGES) {
  test(`calls end and say why while MongoDB ${what}, and everything goes on by itself`, {
    tag: '@thorough',
  }, async () => {
    test.setTimeout(240_000);
    test.skip(what === 'hangs' && server.hang === undefined, 'the server was given, and is not ours to stop');
    const oracle = new Oracle();
    const random = seededRandom();
    const writers = Array.from(
      { length: WRITERS },
      (_, index) => new Writer({ name: `h${index}`, random, oracle, isBulkOneUnit: false, isRefusalUncertain: true }),
    );
    expect((await api.get('/objects/count')).status).toBe(200);
    let isOver = false;
    const running = writers.map((writer) => writer.run(api, () => isOver));
    await expect.poll(() => oracle.acknowledged).toBeGreaterThan(10);
    await begin();
    const [refused, read, ready] = await Promise.all([
      Promise.all(running),
      within(DEADLINE_MS, () => api.get('/objects/h0-0')),
      within(READY_DEADLINE_MS, () => api.get('/readyz')),
    ]);
    isOver = true;
    // Each writer ended by a refusal, and none by a connection that nobody answered.
    expect(refused.map((each) => each.length)).toEqual(Array(WRITERS).fill(1));
    for (const answer of [...refused.flat(), read]) expectUnavailable(answer);
    expect(ready.status).toBe(503);
    expect((await api.get('/healthz')).status).toBe(200);
    await end();
    await expect.poll(async () => (await api.get('/readyz')).status, { timeout: 60_000 }).toBe(200);
    // What the database took before it hung may be done now.
    await pause(1_000);
    expect(await oracle.differences(api)).toEqual([]);
    isOver = false;
    const again = writers.map((writer) => writer.run(api, () => isOver));
    const before = oracle.acknowledged;
    await expect.poll(() => oracle.acknowledged, { timeout: 30_000 }).toBeGreaterThan(before + 10);
    isOver = true;
    expect((await Promise.all(again)).flat()).toEqual([]);
    expect(await oracle.differences(api)).toEqual([]);
    const requests = oracle.takeRequests();
    await expect.poll(() => withoutAuditEntry(place, requests), { timeout: 60_000 }).toEqual([]);
    await takeRemaindersAway(place);
  });
}

/** Larger than what the system keeps for a connection that nobody reads. */
const LARGE = Array.from({ length: 300 }, (_, number) => `large${number}`);

function writeLarge(note: string): Promise<Answer> {
  const objects = LARGE.map((hostname) => ({ hostname, labels: { note: note.repeat(60_000) } }));
  return api.post('/objects/bulk', { account: 'crm', objects });
}

const STOPS: readonly (Outage & { readonly isSure: boolean })[] = [
  { what: 'hangs', begin: async () => server.hang?.pause(), end: async () => server.hang?.resume(), isSure: false },
  { what: 'is behind a path that died', begin: async () => line.choke(2_000_000), end: async () => {}, isSure: true },
];

for (const { what, begin, end, isSure } of STOPS) {
  test(`a large write ends while MongoDB ${what}, and can be done again`, { tag: '@thorough' }, async () => {
    test.setTimeout(300_000);
    test.skip(what === 'hangs' && server.hang === undefined, 'the server was given, and is not ours to stop');
    const begun = performance.now();
    const first = await writeLarge('a');
    expect(first.status, first.text).toBe(200);
    const whole = performance.now() - begun;
    // Not every place of a write is one at which the driver waits for room.
    for (const part of isSure ? [0] : [0.35, 0.5, 0.65]) {
      const writing = writeLarge('b');
      await pause(whole * part);
      await begin();
      const answer = await within(DEADLINE_MS + (isSure ? whole : 0), () => writing);
      if (isSure || answer.status !== 200) expectUnavailable(answer);
      await end();
      await expect.poll(async () => (await api.get('/readyz')).status, { timeout: 60_000 }).toBe(200);
    }
    await expect.poll(async () => (await writeLarge('c')).status, { timeout: 90_000 }).toBe(200);
    expect((await api.get('/objects/large299')).body.labels).toEqual({ note: 'c'.repeat(60_000) });
    await takeRemaindersAway(place);
  });
}

test('a MongoDB that answers slowly is waited for', { tag: '@thorough' }, async () => {
  test.setTimeout(120_000);
  line.delay(100);
  const saved = await within(DEADLINE_MS, () => api.post('/objects/slow', { account: 'crm', labels: { n: 1 } }));
  expect(saved.status, saved.text).toBe(200);
  expect((await within(DEADLINE_MS, () => api.get('/objects/slow'))).body.labels).toEqual({ n: 1 });
  expect((await within(READY_DEADLINE_MS, () => api.get('/readyz'))).status).toBe(200);
});

async function within(milliseconds: number, call: () => Promise<Answer>): Promise<Answer> {
  const begun = performance.now();
  const answer = await call();
  expect(performance.now() - begun).toBeLessThan(milliseconds);
  return answer;
}

function expectUnavailable({ status, headers, body, text }: Answer): void {
  expect(status, text).toBe(503);
  expect(body, text).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/again|log of the service/) });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
}
