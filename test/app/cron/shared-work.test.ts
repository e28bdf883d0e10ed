import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CronEngine } from '../../../src/app/runs/cron/cron-engine.ts';
import type { GroupReport } from '../../../src/app/runs/cron/group-run.ts';
import { AppError, type OfferedWork } from '../../../src/ports/index.ts';
import { EngineHarness } from './engine-harness.ts';

const LONG_MS = 600_000;
const SECONDS = 1 / 60;

let harness: EngineHarness;
let engines: CronEngine[];

beforeEach(async () => {
  harness = await EngineHarness.create();
  engines = [];
  await account('web');
  await account('dmz', 'dmz');
});

afterEach(() => Promise.all(engines.map((engine) => engine.stop())));

function account(name: string, runsAt?: string): Promise<string> {
  const fields = runsAt === undefined ? [] : [{ name: 'runs_at', value: runsAt }];
  return harness.put('accounts', name, { type: 'api', custom_fields: fields });
}

function engine(...given: Parameters<EngineHarness['engine']>): CronEngine {
  const made = harness.engine(...given);
  engines.push(made);
  return made;
}

function loading(name: string, ...accounts: readonly string[]): Promise<string> {
  return harness.group(name, [], { jobs: accounts.map((account) => ({ name: 'load', command: 'Load', account })) });
}

async function started(node: CronEngine): Promise<Promise<GroupReport | undefined>> {
  const [run] = await node.startDue();
  if (run === undefined) throw new Error('nothing was due');
  return run;
}

/** The only offer, once it is there. */
const offer = () =>
  vi.waitFor(async () => {
    const [work] = await harness.storage.work.list();
    if (work === undefined) throw new Error('nothing is offered');
    return work;
  });

/** An offer of a node that is no engine of this test; a larger digit is a later one. */
async function offerFromFar(id: string): Promise<void> {
  const group = await harness.group('far', [], { enabled: false });
  const job = { name: 'load', command: 'Load', account: 'dmz' };
  const body = JSON.stringify({ group, groupName: 'far', kind: 'Load', account: 'dmz', runsAt: 'dmz', job });
  await harness.storage.work.offer({ id, body, at: new Date(Number(id[0])), offeredBy: 'far/1', leaseMs: LONG_MS });
}

/** Moves the clock of the store while the node that offers lives. */
async function passWhileOffered({ id, offeredBy: name }: OfferedWork, seconds: number): Promise<void> {
  await harness.storage.work.keep({ id, name, leaseMs: LONG_MS + seconds * 1000 });
  harness.pass(seconds * SECONDS);
}

it('runs on the node of its group when that may run it, and stores nothing', async () => {
  const offers = vi.spyOn(harness.storage.work, 'offer');
  await loading('nightly', 'web', 'dmz');
  expect(await await started(engine())).toMatchObject({ state: 'done' });
  expect(harness.events).toEqual(['Load web', 'Load dmz']);
  await loading('other', 'dmz');
  expect(await await started(engine('node2', { takes: ['dmz'] }))).toMatchObject({ state: 'done' });
  expect(offers).not.toHaveBeenCalled();
});

it('runs on a node that takes its account, in the order of the jobs', async () => {
  const jobs = ['web', 'dmz', 'web'].map((name) => ({ name: `load ${name}`, command: 'Load', account: name }));
  await harness.group('nightly', [], { jobs });
  const gate = harness.gate('Load');
  const [one, two] = [engine('node1', { takes: ['default'] }), engine('node2', { takes: ['dmz'] })];
  const run = started(one);
  await gate.beginning();
  gate.open();
  const { body } = await offer();
  expect(JSON.parse(body)).toMatchObject({ groupName: 'nightly', account: 'dmz', runsAt: 'dmz' });
  await engine('node3', { takes: ['default', 'other'] }).takeOffered();
  expect(harness.events).toEqual(['Load web']);
  await two.takeOffered();
  await gate.beginning();
  expect(await harness.storage.work.list()).toMatchObject([
    { isHeld: true, holder: expect.stringMatching(/^node2\//) },
  ]);
  await engine('node4').takeOffered();
  expect(harness.events).toEqual(['Load web', 'Load dmz']);
  gate.open();
  await gate.beginning();
  gate.open();
  expect(await await run).toMatchObject({
    state: 'done',
    jobs: [{ name: 'load web' }, { name: 'load dmz', failed: false, message: 'fine' }, { name: 'load web' }],
  });
  expect(await harness.storage.work.list()).toEqual([]);
});

it('hands back what a job on another node said, and who caused it', async () => {
  harness.job('Load', async ({ operation }) => {
    await operation('some/thing', {});
    return { failed: true, message: 'broken', details: [{ level: 'warning', message: 'why' }] };
  });
  const calls: unknown[] = [];
  harness.callOperation = async (...call) => void calls.push(call) as never;
  const id = await loading('nightly', 'dmz');
  await harness.request(id);
  const run = started(engine('node1', { takes: ['default'] }));
  await offer();
  await engine('node2').takeOffered();
  expect(await await run).toMatchObject({
    state: 'failed',
    jobs: [{ failed: true, message: 'broken', details: [{ level: 'warning', message: 'why' }] }],
  });
  expect(calls).toEqual([['some/thing', {}, expect.objectContaining({ causedBy: 'test' })]]);
});

it('fails by name when no node takes its account for five minutes', async () => {
  await loading('nightly', 'dmz');
  const run = started(engine('node1', { takes: ['default'] }));
  await passWhileOffered(await offer(), 4 * 60);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await harness.storage.work.list()).toHaveLength(1);
  await passWhileOffered(await offer(), 61);
  expect(await await run).toMatchObject({
    state: 'failed',
    message:
      'load: no node took account dmz for 5 minutes: it runs at dmz; start a node with dmz in TAKES, or change runs_at of the account',
  });
  expect(harness.events).toEqual([]);
  expect(await harness.storage.work.list()).toEqual([]);
});

it('is done by another node when the one that took it dies, but not for ever', async () => {
  await loading('nightly', 'dmz');
  const run = started(engine('node1', { takes: ['default'] }));
  const work = await offer();
  const die = async (holder: string) => {
    expect(await harness.storage.work.claim({ id: work.id, holder, leaseMs: 15_000 })).toBe(true);
    await passWhileOffered(work, 16);
  };
  await die('dead/1');
  await engine('node2').takeOffered();
  expect(await await run).toMatchObject({ state: 'done' });
  expect(harness.events).toEqual(['Load dmz']);

  await loading('again', 'dmz');
  const second = started(engine('node3', { takes: ['default'] }));
  const { id, offeredBy } = await offer();
  for (const holder of ['dead/1', 'dead/2', 'dead/3']) {
    expect(await harness.storage.work.claim({ id, holder, leaseMs: 1_000 })).toBe(true);
    await harness.storage.work.keep({ id, name: offeredBy, leaseMs: LONG_MS });
    harness.pass(2 * SECONDS);
  }
  await engine('node4').takeOffered();
  expect(await await second).toMatchObject({
    state: 'failed',
    message: 'load: 3 nodes died over account dmz, or lost the database; the next run tries again',
  });
  expect(harness.events).toEqual(['Load dmz']);
});

it('rests after a node died over it, longer each time, before another node begins it', async () => {
  harness.job('Load', ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject())));
  const { work } = harness.storage;
  await offerFromFar('1'.repeat(24));
  // No node renews its lease.
  vi.spyOn(work, 'keep').mockResolvedValue(true);
  const begun = async (node: string) => {
    await engine(node).takeOffered();
    const [offered] = await work.list();
    await vi.waitFor(() => expect(harness.events).toHaveLength(offered?.attempts ?? 0));
    return harness.events.length;
  };
  for (const [died, rest] of [15, 60].entries()) {
    expect(await begun(`node${died}`)).toBe(died + 1);
    harness.pass((15 + rest - 1) * SECONDS);
    expect(await work.list()).toMatchObject([{ isHeld: false, isResting: true, waitingMs: 0 }]);
    expect(await begun('hasty')).toBe(died + 1);
    harness.pass(2 * SECONDS);
  }
  expect(await begun('node2')).toBe(3);
  harness.pass(16 * SECONDS);
  expect(await work.list()).toMatchObject([{ isResting: false, attempts: 3 }]);
  expect(await begun('node3')).toBe(3);
});

it('is offered before other work, and done before it here, when its group was requested', async () => {
  await account('db');
  const ends: (() => void)[] = [];
  harness.job('Load', () => new Promise<void>((resolve) => ends.push(resolve)));
  const { work } = harness.storage;
  const node = engine();
  for (const number of ['1', '2', '3', '4']) await offerFromFar(number.repeat(24));
  await node.takeOffered();
  await vi.waitFor(() => expect(ends).toHaveLength(4));
  await loading('nightly', 'web');
  await harness.request(await loading('asked', 'db'));
  const runs = await node.startDue();
  await vi.waitFor(async () => expect((await work.list()).length).toBe(6));
  expect((await work.list()).filter(({ isHeld }) => !isHeld).map(({ body }) => JSON.parse(body).account)).toEqual([
    'db',
    'web',
  ]);
  ends[0]?.();
  await vi.waitFor(() => expect(harness.events).toHaveLength(5));
  expect(harness.events.at(-1)).toBe('Load db');
  await vi.waitFor(() => {
    for (const end of ends) end();
    expect(harness.events).toHaveLength(6);
  });
  for (const end of ends) end();
  expect(await Promise.all(runs)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
});

it('is begun by another node when the one that has it stops, or drains before it takes it', async () => {
  const gate = harness.gate('Load');
  await loading('nightly', 'dmz');
  const run = started(engine('node1', { takes: ['default'] }));
  await offer();
  const draining = engine('node2');
  draining.drain();
  await draining.takeOffered();
  expect(gate.begun).toBe(0);
  const stopping = harness.engine('node3');
  harness.job(
    'Load',
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  await stopping.takeOffered();
  await stopping.stop();
  expect(await offer()).toMatchObject({ holder: null, isHeld: false, attempts: 0 });
  harness.job('Load', () => undefined);
  await engine('node4').takeOffered();
  expect(await await run).toMatchObject({ state: 'done' });
});

it('ends on the node that took it when the group stops', async () => {
  const aborted = vi.fn();
  harness.job(
    'Load',
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(aborted()))),
  );
  await loading('nightly', 'dmz');
  const one = engine('node1', { takes: ['default'] });
  const run = started(one);
  await offer();
  await engine('node2').takeOffered();
  await one.stop();
  expect(await await run).toMatchObject({ state: 'stopped' });
  expect(await harness.storage.work.list()).toEqual([]);
  await vi.waitFor(() => expect(aborted).toHaveBeenCalled(), { timeout: 10_000 });
});

it('waits for room on a node that lives, and offers are taken oldest first', async () => {
  const ends: (() => void)[] = [];
  harness.job(
    'Load',
    ({ signal }) =>
      new Promise<void>((resolve, reject) => {
        ends.push(resolve);
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  const { work } = harness.storage;
  const ids = [1, 2, 3, 4, 5].map((number) => String(number).repeat(24));
  for (const id of ids.toReversed()) await offerFromFar(id);
  const node = engine('node2');
  await node.takeOffered();
  const held = async () => (await work.list()).map(({ isHeld }) => isHeld);
  expect(await held()).toEqual([true, true, true, true, false]);
  // Its holders renew their leases by the time of this machine.
  for (const { id, holder } of await work.list()) await work.keep({ id, name: holder ?? '', leaseMs: LONG_MS });
  harness.pass(40 * SECONDS);
  await node.takeOffered();
  expect((await work.list())[4]).toMatchObject({ isHeld: false, waitingMs: 0 });
  ends[0]?.();
  await vi.waitFor(async () => {
    await node.takeOffered();
    expect((await work.list())[4]).toMatchObject({ isHeld: true });
  });
});

it('runs where the files are, and on its own node when no node has them', async () => {
  await loading('nightly', 'web');
  const run = started(engine('node1', { files: false }));
  await offer();
  await engine('node2', { files: false }).takeOffered();
  expect(harness.events).toEqual([]);
  await engine('node3').takeOffered();
  expect(await await run).toMatchObject({ state: 'done' });
  expect(harness.events).toEqual(['Load web']);

  await loading('again', 'web');
  const alone = started(engine('node4', { files: false }));
  await passWhileOffered(await offer(), 16);
  expect(await await alone).toMatchObject({ state: 'done' });
});

it('waits for the node that has its files while that one has no room', async () => {
  const ends: (() => void)[] = [];
  harness.job('Load', () => new Promise<void>((resolve) => ends.push(resolve)));
  const busy = engine('node2');
  for (const number of ['1', '2', '3', '4']) await offerFromFar(number.repeat(24));
  await busy.takeOffered();
  await vi.waitFor(() => expect(ends).toHaveLength(4));
  await loading('nightly', 'web');
  const run = started(engine('node1', { files: false }));
  const work = await vi.waitFor(async () => {
    const own = (await harness.storage.work.list()).find(({ offeredBy }) => offeredBy.startsWith('node1/'));
    if (own === undefined) throw new Error('nothing is offered');
    return own;
  });
  for (const { id, holder } of await harness.storage.work.list())
    if (holder !== null) await harness.storage.work.keep({ id, name: holder, leaseMs: LONG_MS });
  // As often as a node looks at offers, at worst.
  for (let passed = 0; passed < 25; passed += 5) {
    await passWhileOffered(work, 5);
    await busy.takeOffered();
  }
  // The node that offers it looks once a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(harness.events).toHaveLength(4);
  ends[0]?.();
  await vi.waitFor(async () => {
    await busy.takeOffered();
    expect(harness.events).toHaveLength(5);
  });
  for (const end of ends) end();
  expect(await await run).toMatchObject({ state: 'done' });
});

it('runs nowhere else while the database does not answer', async () => {
  const { rules, work } = harness.storage;
  const away = new AppError('unavailable', 'no primary');
  const list = rules.list.bind(rules);
  let failures = 1;
  vi.spyOn(rules, 'list').mockImplementation(async (type) => {
    if (type === 'accounts' && failures-- > 0) throw away;
    return list(type);
  });
  await loading('nightly', 'dmz');
  const run = started(engine('node1', { takes: ['default'] }));
  await offer();
  expect(failures).toBe(-1);
  await engine('node2').takeOffered();
  expect(await await run).toMatchObject({ state: 'done' });

  failures = Number.POSITIVE_INFINITY;
  await loading('again', 'dmz');
  expect(await await started(engine('node3', { takes: ['default'] }))).toMatchObject({
    ...{ state: 'failed', message: 'load: no primary' },
  });

  failures = 0;
  await loading('last', 'web');
  vi.spyOn(work, 'claim').mockRejectedValueOnce(away);
  const alone = started(engine('node4', { files: false }));
  await passWhileOffered(await offer(), 16);
  expect(await await alone).toMatchObject({ state: 'done' });
  expect(harness.events).toEqual(['Load dmz', 'Load web']);
});

it('removes offers whose nodes died', async () => {
  await harness.storage.work.offer({
    id: 'a'.repeat(24),
    body: '{}',
    at: new Date(0),
    offeredBy: 'dead/1',
    leaseMs: 0,
  });
  await engine().takeOffered();
  expect(await harness.storage.work.list()).toEqual([]);
});
