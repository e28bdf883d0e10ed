import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { type MongodbServer, startMongodbServer } from '../../test/support/mongodb-server.ts';
import { databaseOf } from '../support/api.ts';
import { RunningService } from '../support/running-service.ts';
import { Workplace } from '../support/workplace.ts';

/** A job that notes on which node it begins and ends; it ends when there is a file `go`. */
const JOB = `import { appendFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { definePlugin } from 'muster/plugin-api';

const note = (text) => appendFile('runs.txt', text + ' ' + process.env.NODE_NAME + '\\n');

export default definePlugin({
  id: 'noted-job',
  apiVersion: 1,
  register(host) {
    host.job({
      id: 'Wait',
      aliases: [],
      description: 'Notes where it runs',
      account: 'required',
      async run({ signal }) {
        await note('begin');
        while (!existsSync('go')) await sleep(20, undefined, { signal });
        await note('end');
        return { message: 'noted' };
      },
    });
  },
});
`;

let server: MongodbServer;
let place: Workplace;
const services: RunningService[] = [];

test.beforeAll(async () => {
  server = await startMongodbServer();
  const environment = { SERVICE_PLUGINS: './noted-job', SERVICE_CRON_PASS_SECONDS: '1' };
  place = await Workplace.create({ SERVICE_DATABASE_URL: databaseOf(server.url), ...environment });
});

test.afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()));
  await place?.close();
  await server?.stop();
});

async function node(name: string, takes: string): Promise<RunningService> {
  const service = await RunningService.start(place, { NODE_NAME: name, SERVICE_TAKES: takes });
  services.push(service);
  return service;
}

const notes = async () => (existsSync(place.path('runs.txt')) ? readFile(place.path('runs.txt'), 'utf8') : '');

test('a job runs on a node that takes its account, and on another one when that node is killed', {
  tag: '@thorough',
}, async () => {
  test.setTimeout(120_000);
  await place.write('noted-job/package.json', '{"type": "module"}\n');
  await place.write('noted-job/index.js', JOB);
  await place.done(['account', 'add', 'gate', '--type', 'api', '--set', 'runs_at=dmz']);
  const jobs = [{ name: 'look', command: 'Wait', account: 'gate' }];
  const rules = [{ name: 'nightly', enabled: true, jobs }];
  await place.done(['rules', 'import', '-', '--override'], {
    input: JSON.stringify({ rule_type: 'cron_groups', rules }),
  });
  await node('inside', 'default');
  const waits = 'look of gate (cron group nightly) waits for a node that takes dmz since';
  await expect.poll(async () => (await place.muster(['status'])).stdout, { timeout: 20_000 }).toContain(waits);
  const first = await node('first', 'dmz');
  await expect.poll(notes, { timeout: 20_000 }).toBe('begin first\n');
  await first.kill();
  await node('second', 'dmz');
  await expect.poll(notes, { timeout: 60_000 }).toBe('begin first\nbegin second\n');
  await place.write('go', '');
  const group = async () => (await place.muster(['cron', 'status'])).stdout;
  await expect.poll(group, { timeout: 20_000 }).toContain('look: noted');
  expect(await notes()).toBe('begin first\nbegin second\nend second\n');
});
