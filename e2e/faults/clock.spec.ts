import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, Api, addUsers, basic, expect, PASSWORD, test } from '../support/api.ts';
import { putGroup } from '../support/cron-jobs.ts';
import { RunningService } from '../support/running-service.ts';
import { Workplace } from '../support/workplace.ts';
import { expectNothingFound } from './support/checks.ts';

/** A clock that is set forward or back while the service runs. libfaketime (Debian's package `libfaketime`) gives it such a clock. */

const LIBRARIES = '/usr/lib';

function fakeTimeLibrary(): string | undefined {
  if (!existsSync(LIBRARIES)) return undefined;
  return readdirSync(LIBRARIES)
    .map((folder) => join(LIBRARIES, folder, 'faketime/libfaketimeMT.so.1'))
    .find((path) => existsSync(path));
}

const library = fakeTimeLibrary();
let place: Workplace;
let service: RunningService;
let api: Api;

test.beforeEach(async () => {
  test.skip(library === undefined, 'there is no libfaketime here; install the package libfaketime');
  place = await Workplace.create({
    SERVICE_STALE_DAYS: '1',
    SERVICE_ARCHIVE_DAYS: '1',
    SERVICE_CRON_PASS_SECONDS: '1',
  });
  await addUsers(place, { root: { api_roles: ['all'], global_admin: true } }, ['crm']);
  await setClock('+0');
});

test.afterEach(async () => {
  await api?.close();
  await service?.kill();
  await place?.close();
});

/** As libfaketime reads it: `+2d`, `-1h`. */
async function setClock(offset: string): Promise<void> {
  await writeFile(place.path('clock'), offset);
}

async function begin(): Promise<void> {
  service = await RunningService.start(place, {
    LD_PRELOAD: library ?? '',
    FAKETIME_TIMESTAMP_FILE: place.path('clock'),
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });
  api = await Api.open(service.url, basic('root', PASSWORD));
}

const save = (hostname: string, labels: object): Promise<Answer> =>
  api.post(`/objects/${hostname}`, { account: 'crm', labels });

async function groupState(
  name: string,
): Promise<{ last_start: string; is_running: boolean; last_message: string; has_error: boolean }> {
  const { body } = await api.get('/syncer/cron/');
  return body.result.find((each: { name: string }) => each.name === name);
}

test('nothing is archived or deleted because the clock was set forward, and the service says why', {
  tag: '@thorough',
}, async () => {
  test.setTimeout(120_000);
  await begin();
  for (const hostname of ['active', 'archived']) expect((await save(hostname, { n: 1 })).status).toBe(200);
  const section = { key: 'disk', inventory: { size: 5 } };
  expect((await api.post('/objects/archived/inventory', section)).status).toBe(200);
  expect((await api.delete('/objects/archived')).status).toBe(200);
  await putGroup(place, 'care', 'Maintenance', { custom_interval_in_minutes: 1 });
  await expect
    .poll(async () => (await groupState('care')).last_message, { timeout: 20_000 })
    .toMatch(/0 stale hosts archived/);
  await setClock('+40d');
  await expect
    .poll(async () => groupState('care'), { timeout: 30_000 })
    .toMatchObject({
      has_error: true,
      last_message: expect.stringMatching(/set forward by 960 hours/),
    });
  expect((await api.get('/objects/active')).status).toBe(200);
  // It is in the archive still: the next write brings it back with what it had.
  expect((await save('archived', { n: 1 })).status).toBe(200);
  expect((await api.get('/objects/archived')).body.inventory).toEqual({ disk: { size: 5 } });
  expect((await save('active', { n: 2 })).status).toBe(200);
  await setClock('+0');
  await expect.poll(async () => groupState('care'), { timeout: 30_000 }).toMatchObject({ has_error: false });
  expect((await api.get('/objects/active')).body.labels).toEqual({ n: 2 });
});

test('a clock that is set back an hour stops no writes, no feed and no imports', { tag: '@thorough' }, async () => {
  test.setTimeout(120_000);
  await begin();
  await writeFile(place.path('hosts.csv'), 'host,site\na1,x\na2,y\n');
  await place.done([
    ...['account', 'add', 'csv', '--type', 'csv', '--set', 'path=hosts.csv'],
    ...['--set', 'delete_host_if_not_found_on_import=true'],
  ]);
  const atClock = { LD_PRELOAD: library ?? '', FAKETIME_TIMESTAMP_FILE: place.path('clock') };
  await place.done(['import', 'csv'], { environment: atClock });
  const first = (await api.get('/api/v1/changes/feed')).body;
  expect(first.more).toBe(false);
  expect((await save('web', { n: 1 })).status).toBe(200);
  await setClock('-1h');
  for (const n of [2, 3]) expect((await save('web', { n })).status).toBe(200);
  const host = (await api.get('/objects/web')).body;
  expect(host.labels).toEqual({ n: 3 });
  const followed = (await api.get(`/api/v1/changes/feed?since=${encodeURIComponent(first.next)}`)).body;
  const web = followed.changes.filter(({ hostname }: { hostname: string }) => hostname === 'web');
  expect(web.length).toBeGreaterThanOrEqual(3);
  // An import under the earlier time finds what it wrote under the later one, and archives nothing.
  const summary = JSON.parse(await place.done(['import', 'csv', '--json'], { environment: atClock }));
  expect(summary).toMatchObject({ seen: 2, unchanged: 2, archived: 0 });
  await setClock('+0');
  expect((await save('web', { n: 4 })).status).toBe(200);
  const { body } = await api.get('/objects/web/history');
  const values = body.changes.flatMap((change: { changes: { path: string; after?: unknown }[] }) =>
    change.changes.filter(({ path }) => path === 'labels.n').map(({ after }) => after),
  );
  expect(new Set(values)).toEqual(new Set([2, 3, 4]));
  expect(values[0]).toBe(4);
  await api.close();
  await service.stop();
  await expectNothingFound(place);
});
