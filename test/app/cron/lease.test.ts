import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError, type CronStore } from '../../../src/ports/index.ts';
import { EngineHarness, type Gate } from './engine-harness.ts';

/** How long a holder may be silent. */
const LEASE_MS = 15_000;
/** How long a job may take to end when it is told to. */
const GRACE_MS = 5_000;

let harness: EngineHarness;
let gate: Gate;
let id: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  harness = await EngineHarness.create();
  gate = harness.gate('One');
  id = await harness.group('long', ['One', 'Two']);
});

afterEach(() => {
  vi.useRealTimers();
});

async function seconds(count: number): Promise<void> {
  for (let second = 0; second < count; second++) {
    harness.pass(1 / 60);
    await vi.advanceTimersByTimeAsync(1000);
  }
}

function replaceCron(changed: Partial<CronStore>): void {
  Object.assign(harness.storage.cron, changed);
}

it('is renewed as long as the run takes', async () => {
  const [run] = await harness.engine('node1').startDue();
  await gate.beginning();
  for (let minute = 0; minute < 3; minute++) {
    await seconds(60);
    expect(await harness.state(id)).toMatchObject({ isHeld: true, attempts: 1 });
    expect(await harness.engine('node2').runDue()).toEqual([]);
  }
  gate.open();
  expect(await run).toMatchObject({ state: 'done' });
  expect(vi.getTimerCount()).toBe(0);
});

it('that another took aborts the run, which leaves the group to who has it', async () => {
  let aborted = false;
  harness.job('One', ({ signal }) => {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        aborted = true;
        reject(signal.reason);
      });
    });
  });
  const [run] = await harness.engine('node1').startDue();
  await seconds(1);
  const { holder } = (await harness.state(id)) ?? {};
  await harness.storage.cron.release({ groupId: id, holder: holder ?? '' });
  await harness.hold(id, 'node2/1', 600_000);
  await seconds(5);
  expect(await run).toMatchObject({ state: 'stopped', message: 'lost to another node' });
  expect(aborted).toBe(true);
  expect(harness.events).toEqual(['One']);
  expect(await harness.state(id)).toMatchObject({ holder: 'node2/1', isHeld: true });
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ['refuses', () => Promise.reject(new AppError('unavailable', 'away'))],
  ['hangs', () => new Promise<never>(() => {})],
])('that cannot be renewed because the storage %s aborts the run before another begins it', async (_what, keep) => {
  const lost: number[] = [];
  harness.job('One', ({ signal }) => {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        lost.push(performance.now());
        reject(signal.reason);
      });
    });
  });
  replaceCron({ keep });
  const began = performance.now();
  const [run] = await harness.engine('node1').startDue();
  await seconds(LEASE_MS / 1000 - 1);
  expect(await harness.engine('node2').runDue()).toEqual([]);
  await seconds(1);
  expect(await run).toMatchObject({ state: 'stopped' });
  expect(lost).toEqual([began + LEASE_MS]);
});

it('survives a storage that is away for a moment', async () => {
  const { keep } = harness.storage.cron;
  let failures = 2;
  replaceCron({ keep: (request) => (failures-- > 0 ? Promise.reject(new Error('away')) : keep(request)) });
  const [run] = await harness.engine('node1').startDue();
  await gate.beginning();
  await seconds(60);
  expect(await harness.state(id)).toMatchObject({ isHeld: true, attempts: 1 });
  gate.open();
  expect(await run).toMatchObject({ state: 'done' });
});

it('ends with a job that does not, some seconds after the service was told to stop', async () => {
  const engine = harness.engine('node1');
  const [run] = await engine.startDue();
  await gate.beginning();
  const stopped = engine.stop();
  await seconds(GRACE_MS / 1000);
  await stopped;
  expect(await run).toMatchObject({ state: 'stopped' });
  expect(await harness.state(id)).toMatchObject({ isHeld: false });
  expect(harness.events).toEqual(['One']);
  expect(vi.getTimerCount()).toBe(0);
});

it('leaves nothing behind of jobs that ended', async () => {
  const engine = harness.engine('node1');
  harness.job('One', () => ({ message: 'fine' }));
  for (let round = 0; round < 50; round++) {
    expect(await engine.runDue()).toHaveLength(1);
    harness.pass(60);
  }
  expect(vi.getTimerCount()).toBe(0);
});
