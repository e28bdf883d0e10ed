import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CronEngine } from '../../../src/app/runs/cron/cron-engine.ts';
import type { GroupReport } from '../../../src/app/runs/cron/group-run.ts';
import type { OfferedWork } from '../../../src/ports/index.ts';
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
  const group = await loading('nightly', 'dmz');
  const job = { name: 'load', command: 'Load', account: 'dmz' };
  const body = JSON.stringify({ group, groupName: 'nightly', kind: 'Load', account: 'dmz', runsAt: 'dmz', job });
  const ids = [1, 2, 3, 4, 5].map((number) => String(number).repeat(24));
  for (const id of ids.toReversed())
    await work.offer({ id, body, at: new Date(Number(id[0])), offeredBy: 'far/1', leaseMs: LONG_MS });
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
