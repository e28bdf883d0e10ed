import { test } from '@playwright/test';
import { type MongodbServer, startMongodbServer } from '../../test/support/mongodb-server.ts';
import { databaseOf, PASSWORD } from '../support/api.ts';
import { expectOneRunARequest, putGroup, putJobs, QUICK_JOBS } from '../support/cron-jobs.ts';
import { Workplace } from '../support/workplace.ts';

let server: MongodbServer;
let place: Workplace;

test.beforeAll(async () => {
  server = await startMongodbServer();
  place = await Workplace.create({ SERVICE_DATABASE_URL: databaseOf(server.url) });
});

test.afterAll(async () => {
  await place?.close();
  await server?.stop();
});

test('two services and commands on one MongoDB run a group once a request', { tag: '@thorough' }, async () => {
  test.setTimeout(120_000);
  await place.done(['user', 'add', 'root', '--role', 'all', '--admin', '--password-stdin'], { input: PASSWORD });
  await putJobs(place);
  for (const name of QUICK_JOBS) await putGroup(place, name, name);
  await expectOneRunARequest(place);
});
