import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { type APIRequestContext, expect, request, test } from '@playwright/test';
import { RunningService } from '../support/running-service.ts';
import { MUSTER, Workplace } from '../support/workplace.ts';

/** What was acknowledged is there, whatever happens to the process. */

const PASSWORD = 'correct horse battery';
let place: Workplace;

test.beforeEach(async () => {
  place = await Workplace.create();
});
test.afterEach(() => place.close());

async function client(url: string): Promise<APIRequestContext> {
  return request.newContext({
    baseURL: url,
    httpCredentials: { username: 'writer', password: PASSWORD, send: 'always' },
  });
}

test('kill -9 of the service under load loses nothing acknowledged', async () => {
  await place.done(['user', 'add', 'writer', '--role', 'all', '--password-stdin'], { input: `${PASSWORD}\n` });
  await place.done(['account', 'add', 'load', '--type', 'api']);
  const service = await RunningService.start(place);
  const api = await client(service.url);
  const acknowledged = new Map<string, number>();
  let running = true;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; running; n++) {
      const hostname = `h${writer}-${n % 50}`;
      try {
        const answer = await api.post(`/api/v1/objects/${hostname}`, { data: { account: 'load', labels: { n } } });
        if (answer.ok()) acknowledged.set(hostname, n);
      } catch {
        return;
      }
    }
  });
  await expect.poll(() => acknowledged.size).toBeGreaterThan(200);
  await service.kill();
  running = false;
  await Promise.all(writers);
  await api.dispose();

  const again = await RunningService.start(place);
  const reader = await client(again.url);
  for (const [hostname, n] of acknowledged) {
    const host = await (await reader.get(`/api/v1/objects/${hostname}`)).json();
    expect(host.labels.n, hostname).toBeGreaterThanOrEqual(n);
  }
  await reader.dispose();
  await again.stop();
});

/** The import must not be over before somebody sees that it has begun, which takes a second on a busy machine. */
const MANY = 200_000;

test('an import that is killed in the middle is completed by the next run', async () => {
  const lines = Array.from({ length: MANY }, (_, n) => `host${n}.example.org,site${n % 7},role${n % 11}`);
  await writeFile(place.path('hosts.csv'), `host,site,role\n${lines.join('\n')}\n`);
  await place.done([
    ...['account', 'add', 'big', '--type', 'csv', '--set', 'path=hosts.csv'],
    ...['--set', 'delete_host_if_not_found_on_import=true'],
  ]);
  const child = spawn(process.execPath, [MUSTER, 'import', 'big'], { cwd: place.directory, env: place.environment });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await expect
    .poll(async () => JSON.parse(await place.done(['host', 'list', '--limit', '1', '--json'])).length, {
      intervals: [50],
    })
    .toBe(1);
  child.kill('SIGKILL');
  await exited;

  const summary = JSON.parse(await place.done(['import', 'big', '--json']));
  expect(summary.seen).toBe(MANY);
  expect(summary.created + summary.unchanged).toBe(MANY);
  expect(summary.created).toBeGreaterThan(0);
  expect(summary.unchanged).toBeGreaterThan(0);
  const after = JSON.parse(await place.done(['import', 'big', '--json']));
  expect(after).toMatchObject({ created: 0, updated: 0, unchanged: MANY, archived: 0 });
});

test('fifty writers on one host and two accounts racing for new ones leave one owner each', {
  tag: '@thorough',
}, async () => {
  await place.done(['user', 'add', 'writer', '--role', 'all', '--password-stdin'], { input: `${PASSWORD}\n` });
  for (const account of ['red', 'blue']) await place.done(['account', 'add', account, '--type', 'api']);
  const service = await RunningService.start(place);
  const api = await client(service.url);
  const save = (hostname: string, account: string, labels: object) =>
    api.post(`/api/v1/objects/${hostname}`, { data: { account, labels } });

  const same = await Promise.all(Array.from({ length: 50 }, (_, n) => save('one', 'red', { n })));
  expect(same.map((answer) => answer.status())).toEqual(Array(50).fill(200));

  const races = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      const answers = await Promise.all(['red', 'blue'].map((account) => save(`race${n}`, account, { account })));
      return answers.map((answer) => answer.status()).sort();
    }),
  );
  for (const statuses of races) expect(statuses).toEqual([200, 403]);

  const names = Array.from({ length: 500 }, (_, n) => `bulk${n}`);
  const bulk = (account: string, list: readonly string[]) =>
    api.post('/api/v1/objects/bulk', {
      data: { account, objects: list.map((hostname) => ({ hostname, labels: { account } })) },
    });
  const [left, right] = await Promise.all([bulk('red', names), bulk('blue', names.toReversed())]);
  const refused = [...(await left.json())['not-saved'], ...(await right.json())['not-saved']];
  expect(refused).toHaveLength(500);
  expect(new Set(refused).size).toBe(500);
  await api.dispose();
  await service.stop();
});
