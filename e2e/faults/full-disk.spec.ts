import { readdir, readFile } from 'node:fs/promises';
import { type Answer, Api, addUsers, basic, expect, PASSWORD, test } from '../support/api.ts';
import { RunningService } from '../support/running-service.ts';
import { Workplace } from '../support/workplace.ts';
import { expectNothingFound, withoutAuditEntry } from './support/checks.ts';
import { Oracle } from './support/oracle.ts';
import { seededRandom } from './support/random.ts';
import { SmallDisk } from './support/small-disk.ts';
import { Writer } from './support/writer.ts';

/** A full disk: writes are refused and say why, reads go on, nothing acknowledged is lost, and files are whole or as before. */

const MEGABYTES = 24;
/** More than the disk holds, with every host and its history. */
const MOST_WRITES = 30_000;

let place: Workplace;
let disk: SmallDisk | undefined;
let reason = '';
let service: RunningService | undefined;

test.describe.configure({ mode: 'serial' });

test.beforeEach(async () => {
  place = await Workplace.create({ SERVICE_DATABASE_URL: 'sqlite:small/data/muster.db' });
  const made = await SmallDisk.make(place.path('small'), MEGABYTES);
  if (typeof made === 'string') reason = made;
  else disk = made;
  test.skip(disk === undefined, reason);
  await addUsers(place, { root: { api_roles: ['all'], global_admin: true } }, ['crm']);
});

test.afterEach(async () => {
  await service?.kill();
  service = undefined;
  await disk?.remove();
  disk = undefined;
  await place.close();
});

function expectRefusal({ status, headers, body }: Answer): void {
  expect(status).toBe(503);
  expect(body).toEqual({
    code: 'unavailable',
    message: expect.stringMatching(/muster\.db .*disk is full; free some space/),
  });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
}

test('a service whose disk is full refuses writes, answers reads, and goes on when there is room', {
  tag: '@thorough',
}, async () => {
  test.setTimeout(240_000);
  const small = disk as SmallDisk;
  const random = seededRandom();
  const oracle = new Oracle();
  service = await RunningService.start(place);
  let api = await Api.open(service.url, basic('root', PASSWORD));
  const writers = [0, 1, 2].map((index) => new Writer({ name: `h${index}`, random, oracle, isBulkOneUnit: true }));

  const write = async (isOver: () => boolean): Promise<Answer[]> => {
    let refusals = 0;
    const runs = writers.map((writer) =>
      writer.run(
        api,
        () => isOver() || refusals > 20,
        () => refusals++,
      ),
    );
    return (await Promise.all(runs)).flat();
  };
  await write(() => oracle.acknowledged > 100);
  expect(await oracle.differences(api)).toEqual([]);
  await small.fill('filling');
  const refused = await write(() => oracle.acknowledged > MOST_WRITES);
  expect(refused.length).toBeGreaterThan(20);
  for (const answer of refused) expectRefusal(answer);

  expect(await oracle.differences(api)).toEqual([]);
  await expect
    .poll(async () => (await api.get('/readyz')).body, { timeout: 15_000 })
    .toMatchObject({ writable: false });
  expect((await api.get('/readyz')).status).toBe(200);
  expect((await api.get('/readyz?write=1')).status).toBe(503);
  expect((await api.get('/objects/all')).status).toBe(200);
  expect((await api.get('/inventory/automation/automation')).status).toBe(200);
  const listed = await place.muster(['host', 'list', '--limit', '1', '--json']);
  expect(JSON.parse(listed.stdout)).toHaveLength(1);
  const doctor = await place.muster(['doctor']);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(/disk .*free some space/);

  await small.free('filling');
  const before = oracle.acknowledged;
  expect(await write(() => oracle.acknowledged > before + 100)).toEqual([]);
  const requests = oracle.takeRequests();
  expect(await oracle.differences(api)).toEqual([]);
  await expect.poll(() => withoutAuditEntry(place, requests), { timeout: 15_000 }).toEqual([]);

  await small.fill('filling');
  await write(() => oracle.acknowledged > MOST_WRITES);
  await api.close();
  await service.kill();
  service = await RunningService.start(place);
  api = await Api.open(service.url, basic('root', PASSWORD));
  for (const hostname of oracle.names()) oracle.look(hostname);
  expect(await oracle.differences(api)).toEqual([]);
  await small.free('filling');
  expectOk(await api.post('/objects/after', { account: 'crm', labels: {} }));
  await api.close();
  await service.stop();
  await expectNothingFound(place);
});

test('a backup or an exported file that the disk has no room for leaves the old one whole', {
  tag: '@thorough',
}, async () => {
  test.setTimeout(120_000);
  const small = disk as SmallDisk;
  service = await RunningService.start(place);
  const api = await Api.open(service.url, basic('root', PASSWORD));
  const objects = (round: number): object[] =>
    Array.from({ length: 200 }, (_, n) => ({ hostname: `h${n}`, labels: { round, filling: `${n}`.repeat(500) } }));
  expectOk(await api.post('/objects/bulk', { account: 'crm', objects: objects(1) }));
  await place.done([
    'account',
    'add',
    'out',
    '--type',
    'json_file',
    '--set',
    'path=small/out.json',
    '--set',
    'format=json',
  ]);
  await place.done(['export', 'out']);
  await place.done(['backup', 'small/backup.gz']);
  await place.done(['storage', 'keep-backup'], { environment: { SERVICE_BACKUP_DIR: 'small/backups' } });
  const kept = await readdir(place.path('small/backups'));
  const files = ['small/out.json', 'small/backup.gz', ...kept.map((name) => `small/backups/${name}`)];
  const contents = (): Promise<Buffer[]> => Promise.all(files.map((file) => readFile(place.path(file))));
  const before = await contents();

  expectOk(await api.post('/objects/bulk', { account: 'crm', objects: objects(2) }));
  await small.fill('filling');
  const names = await readdir(place.path('small'));
  for (const command of [
    ['export', 'out'],
    ['backup', 'small/backup.gz'],
    ['storage', 'keep-backup'],
  ]) {
    const result = await place.muster(command, { environment: { SERVICE_BACKUP_DIR: 'small/backups' } });
    expect(result.code, command.join(' ')).toBe(1);
    expect(result.stderr, command.join(' ')).toMatch(/space|disk is full/);
    expect(result.stderr).not.toMatch(/\n\s+at /);
    expect((await contents()).every((content, index) => content.equals(before[index] as Buffer))).toBe(true);
    expect(await readdir(place.path('small'))).toEqual(names);
    expect(await readdir(place.path('small/backups'))).toEqual(kept);
  }

  await small.free('filling');
  await place.done(['export', 'out']);
  await place.done(['backup', 'small/backup.gz']);
  expect(await readFile(place.path('small/out.json'), 'utf8')).toMatch(/"round": ?2/);
  await api.close();
  await service.stop();
});

function expectOk(answer: Answer): void {
  expect(answer.status, answer.text).toBe(200);
}
