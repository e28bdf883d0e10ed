import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Api, basic, expect, PASSWORD, test } from '../support/api.ts';
import { expectOneRunARequest, JOB_ENVIRONMENT, notes, putGroup, putJobs, QUICK_JOBS } from '../support/cron-jobs.ts';
import { RunningService } from '../support/running-service.ts';
import type { Workplace } from '../support/workplace.ts';

const SECRET = 'a signing secret of some length';

async function started(place: Workplace, environment: Record<string, string> = {}) {
  const service = await RunningService.start(place, { ...JOB_ENVIRONMENT, ...environment });
  const api = await Api.open(service.url, basic('root', PASSWORD));
  return {
    service,
    api,
    async status(name: string) {
      const { body } = await api.get('/syncer/cron/');
      return body.result.find((group: { name: string }) => group.name === name);
    },
    async stop() {
      await api.close();
      return service.stop();
    },
  };
}

function runs(place: Workplace) {
  return expect.poll(async () => (await notes(place)).filter((line) => line.startsWith('begin')).length, {
    timeout: 20_000,
  });
}

test('a group runs on its schedule, when the flag is set, and by webhook with token and with signature', async ({
  freshPlace,
}) => {
  const place = await freshPlace();
  await putJobs(place);
  await putGroup(place, 'nightly', 'A', { interval: 'daily', webhook_enabled: true });
  let muster = await started(place);
  await runs(place).toBe(1);
  await expect.poll(async () => (await muster.status('nightly'))?.last_message).toBe('A: noted');
  expect(Object.keys(await muster.status('nightly'))).toEqual([
    'name',
    'last_start',
    'next_run',
    'is_running',
    'last_message',
    'has_error',
  ]);

  await muster.api.post('/syncer/cron/', { job_name: 'nightly', run_once_next: true });
  await runs(place).toBe(2);

  const hook = (headers: Record<string, string>, body = '') =>
    fetch(`${muster.service.url}/api/v1/syncer/cron/trigger/nightly`, { method: 'POST', headers, body });
  const token = (await place.done(['cron', 'token', 'nightly'])).trim();
  expect((await hook({ 'x-webhook-token': `${token}x` })).status).toBe(401);
  const triggered = await hook({ 'x-webhook-token': token });
  expect(triggered.status).toBe(202);
  expect(await triggered.json()).toMatchObject({ status: 'triggered', group: 'nightly' });
  await runs(place).toBe(3);

  await place.done(['cron', 'policy', 'nightly', '--secret-stdin'], { input: `${SECRET}\n` });
  expect((await hook({ 'x-webhook-token': token })).status).toBe(401);
  const body = '{"ref": "main"}';
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hex = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex');
  const signed = { 'x-timestamp': timestamp, 'x-signature-sha256': `sha256=${hex}` };
  expect((await hook(signed, body)).status).toBe(202);
  await runs(place).toBe(4);
  // A run that a stop cuts off is begun again, which is not the matter here.
  await expect.poll(async () => (await muster.status('nightly'))?.is_running).toBe(false);
  expect((await hook(signed, body)).status).toBe(401);
  expect(await muster.stop()).toBe(0);

  muster = await started(place);
  expect((await hook(signed, body)).status).toBe(401);
  const { body: logs } = await muster.api.get('/syncer/logs');
  const sources = logs.result.map((entry: { source: string }) => entry.source);
  expect(sources.filter((source: string) => source === 'API')).toHaveLength(7);
  expect(sources.filter((source: string) => source === 'cron:nightly')).toHaveLength(4);
  await muster.stop();
  await runs(place).toBe(4);
});

test('a group whose service is killed in the middle runs again as soon as the service is there again', {
  tag: '@thorough',
}, async ({ freshPlace }) => {
  const place = await freshPlace();
  await putJobs(place);
  await putGroup(place, 'long', 'Wait', { interval: 'daily' });
  let muster = await started(place);
  await runs(place).toBe(1);
  expect(await muster.status('long')).toMatchObject({ is_running: true });
  await muster.api.close();
  await muster.service.kill();
  const environment = JOB_ENVIRONMENT;
  expect(await place.done(['cron', 'status'], { environment })).toMatch(/^long +cut off +\S+ \S+ +next pass /m);

  // Its lease goes on for many seconds, which nobody waits for on the same machine.
  muster = await started(place);
  await expect.poll(async () => (await notes(place)).length, { timeout: 6_000 }).toBe(2);
  expect(await muster.status('long')).toMatchObject({ is_running: true });

  // A service that is told to stop does not wait for the job, and leaves it to the next one.
  expect(await muster.stop()).toBe(0);
  muster = await started(place);
  await runs(place).toBe(3);
  await writeFile(place.path('go'), '');
  await expect
    .poll(async () => await muster.status('long'))
    .toMatchObject({
      is_running: false,
      has_error: false,
      last_message: 'Wait: noted',
    });
  expect(await notes(place)).toEqual(['begin Wait', 'begin Wait', 'begin Wait', 'end Wait']);
  await muster.stop();
});

test('two services and commands on one SQLite file run a group once a request @thorough', async ({ freshPlace }) => {
  const place = await freshPlace();
  await putJobs(place);
  for (const name of QUICK_JOBS) await putGroup(place, name, name);
  await expectOneRunARequest(place);
});

test('"muster cron run" leaves what runs alone, and runs what a service does not', async ({ freshPlace }) => {
  const place = await freshPlace();
  await putJobs(place);
  await putGroup(place, 'long', 'Wait');
  const muster = await started(place, { SERVICE_CRON_PASS_SECONDS: '3600' });
  await runs(place).toBe(1);
  const environment = JOB_ENVIRONMENT;
  const idle = await place.muster(['cron', 'run'], { environment });
  expect([idle.code, idle.stdout]).toEqual([0, '']);
  expect(await place.done(['cron', 'status'], { environment })).toMatch(/^long +running /m);
  await writeFile(place.path('go'), '');
  await expect.poll(async () => (await muster.status('long')).is_running).toBe(false);

  await place.done(['cron', 'trigger', 'long'], { environment });
  expect(await place.done(['cron', 'run'], { environment })).toMatch(/^long {2}done\n {2}Wait: noted\n$/);
  expect(await notes(place)).toEqual(['begin Wait', 'end Wait', 'begin Wait', 'end Wait']);
  expect(await muster.status('long')).toMatchObject({ is_running: false, last_message: 'Wait: noted' });
  await muster.stop();
});
