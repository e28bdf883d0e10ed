import { expect, PASSWORD, test } from '../../support/api.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

test('the log gives its latest hundred entries, newest first, and the latest one of a component', async ({
  api,
  name,
}) => {
  for (let count = 0; count < 101; count++) await api.post(`/syncer/cron/trigger/${name(`-${count}`)}`);
  const { status, body } = await api.get('/syncer/logs');
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['result']);
  expect(body.result).toHaveLength(100);
  expect(body.result.map((entry: { message: string }) => entry.message.match(/-(\d+) /)?.[1])).toEqual(
    Array.from({ length: 100 }, (_, index) => String(100 - index)),
  );
  expect(body.result[0]).toEqual({
    entry_id: expect.stringMatching(/\S/),
    time: TIME,
    message: expect.stringContaining(name('-100')),
    source: 'API',
    details: expect.arrayContaining([{ name: 'error', message: expect.stringContaining(name('-100')) }]),
    has_error: true,
  });
  expect((await api.get('/syncer/services/API')).body).toEqual({ result: body.result[0] });
  expect((await api.get(`/syncer/services/${name()}`)).status).toBe(404);
});

test('a cron group is shown, and its flag is set and cleared', async ({ api, name }) => {
  const group = { name: name(), enabled: false, interval: 'daily', jobs: [] };
  expect((await api.post('/rules/cron_groups', group)).status).toBe(201);
  const { body } = await api.get('/syncer/cron/');
  expect(body.result.find((each: { name: string }) => each.name === name())).toEqual({
    name: name(),
    last_start: null,
    next_run: null,
    is_running: false,
    last_message: '',
    has_error: false,
  });
  const flag = async () =>
    (await api.get('/rules/cron_groups')).body.rules.find((each: { name: string }) => each.name === name())
      .run_once_next;
  for (const value of [true, false]) {
    const answer = await api.post('/syncer/cron/', { job_name: name(), run_once_next: value });
    expect([answer.status, answer.body]).toEqual([200, { status: 'saved' }]);
    expect(await flag()).toBe(value);
  }
  const unknown = { job_name: name('-unknown'), run_once_next: true };
  expect((await api.post('/syncer/cron/', unknown)).status).toBe(404);
  expect((await api.get('/syncer/cron')).status).toBe(404);
  for (const wrong of [{}, { job_name: name() }, { run_once_next: true }, { job_name: name(), run_once_next: 'yes' }]) {
    expect((await api.post('/syncer/cron/', wrong)).status).toBe(400);
  }
});

test('a trigger sets the flag and is logged, and so is each refusal', async ({ api, anonymous, name, service }) => {
  const trigger = (group: string, headers: Record<string, string> = {}, sender = api) =>
    sender.post(`/syncer/cron/trigger/${group}`, undefined, headers);
  const base = { enabled: true, interval: 'daily', timerange_from: '0', timerange_to: '0', jobs: [] };
  await api.post('/rules/cron_groups', [
    { ...base, name: name('-open'), webhook_enabled: true },
    { ...base, name: name('-closed') },
    { ...base, name: name('-off'), webhook_enabled: true, enabled: false },
  ]);
  const token = (await service.place.done(['cron', 'token', name('-open')])).trim();
  const user = { 'x-login-user': `syncer:${PASSWORD}` };
  const answers = [
    [202, await trigger(name('-open'))],
    [202, await trigger(name('-open'), user, anonymous)],
    [202, await trigger(name('-open'), { 'x-webhook-token': token }, anonymous)],
    [401, await trigger(name('-open'), { 'x-webhook-token': `${token}x` })],
    [401, await trigger(name('-open'), {}, anonymous)],
    [401, await trigger(name('-open'), { 'x-login-user': `objects:${PASSWORD}` }, anonymous)],
    [403, await trigger(name('-closed'))],
    [404, await trigger(name('-unknown'))],
    [409, await trigger(name('-off'))],
  ] as const;
  for (const [status, answer] of answers) expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
  expect(answers[2][1].body).toEqual({
    status: 'triggered',
    group: name('-open'),
    note: expect.stringContaining('next cron pass'),
  });
  const { result } = (await api.get('/syncer/logs')).body;
  const logged = result.filter((entry: { message: string }) => entry.message.includes(name('-')));
  expect(logged.map((entry: { source: string; has_error: boolean }) => [entry.source, entry.has_error])).toEqual(
    answers.map(([status]) => ['API', status !== 202]).reverse(),
  );
});

test('the counters are those of the hosts that a user reaches', async ({ as, api, name }) => {
  await api.save(name('-theirs'), 'dcim');
  await api.save(name('-mine'), 'crm');
  const scoped = await as('scoped');
  for (const each of [api, scoped]) {
    const { size } = (await each.get('/objects/all?limit=0')).body;
    const { body } = await each.get('/syncer/hosts');
    expect(body).toMatchObject({ num_hosts: size, num_objects: expect.any(Number), not_updated_last_24h: 0 });
    const age = Date.now() - Date.parse(body['24h_checkpoint']);
    expect(Math.abs(age - 24 * 60 * 60 * 1000)).toBeLessThan(60_000);
  }
  const [mine, all] = await Promise.all([scoped, api].map(async (each) => (await each.get('/syncer/hosts')).body));
  expect(mine.num_hosts).toBeLessThan(all.num_hosts);
});
