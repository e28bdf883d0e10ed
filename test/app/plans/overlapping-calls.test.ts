import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { applyStoredPlan } from '../../../src/app/exports/plans/operations/apply-plan.ts';
import { makeStoredPlan } from '../../../src/app/exports/plans/operations/make-plan.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import type { OwnedObject, Storage } from '../../../src/ports/index.ts';
import { OperationsApp } from '../operations/operations-app.ts';
import { keys, resetShelf, shelf } from './fixtures/shelf.mjs';

const SHELF = fileURLToPath(new URL('fixtures/shelf.mjs', import.meta.url));
/** Of devices in one call. */
const BATCH = 10;

// What is done for the next call while one is under way.

let storage: Storage;
let muster: OperationsApp;
beforeEach(async () => {
  resetShelf();
  storage = memoryStorage()();
  await storage.start();
  muster = await OperationsApp.over(storage, { PLUGINS: [SHELF] });
  await muster.addAccounts('red');
  await muster.run(addAccount, { name: 'out', type: 'shelf', settings: {} });
});
afterEach(async () => {
  await muster.stop();
  await storage.stop();
});

const run = () => muster.run(exportAccount, { account: 'out' });

/** Hosts by their labels, named so that they come in this order. */
async function save(labels: readonly object[]): Promise<void> {
  const objects = labels.map((each, index) => ({ hostname: nameOf(index), labels: each }));
  await muster.run(saveHostsBulk, { account: 'red', objects });
}

const nameOf = (index: number): string => `h${String(index).padStart(2, '0')}`;

async function owned(): Promise<readonly OwnedObject[]> {
  const account = await muster.app.services.accounts.byName('out');
  const found: OwnedObject[] = [];
  for await (const batch of storage.ownership.scan(account?.id ?? '', 100)) found.push(...batch);
  return found;
}

const pending = async () => (await owned()).filter((each) => each.pending !== null).map(({ key }) => key);

/** Whether something is so before long. */
async function becomes(isSo: () => Promise<boolean>): Promise<boolean> {
  for (let turns = 0; turns < 200; turns++) {
    if (await isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return false;
}

it('the next call is remembered while one is under way, and asked when that is answered', async () => {
  await save(Array.from({ length: 3 * BATCH }, () => ({ os: 'debian' })));
  const seen: string[] = [];
  let underWay = 0;
  shelf.after = async (changes) => {
    expect(++underWay).toBe(1);
    const isLast = changes.some(({ key }) => key === nameOf(3 * BATCH - 1));
    const expected = isLast ? BATCH : 2 * BATCH;
    if (await becomes(async () => (await pending()).length === expected)) seen.push(`${expected} remembered`);
    underWay--;
  };
  expect(await run()).toMatchObject({ status: 'done', summary: { written: 3 * BATCH } });
  expect(seen).toEqual(['20 remembered', '20 remembered', '10 remembered']);
  expect(await pending()).toEqual([]);
});

it('what comes after something that is under way waits for its answer, and so does another kind', async () => {
  // Each device but the first is in the one before, so that each comes in a call of its own.
  await save([{ site: 'a' }, ...Array.from({ length: 3 }, (_, index) => ({ under: nameOf(index) }))]);
  shelf.after = async (changes) => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await pending()).toEqual(changes.map(({ key }) => key));
  };
  expect(await run()).toMatchObject({ status: 'done', summary: { written: 5 } });
  expect(shelf.calls.map((changes) => changes.map(({ key }) => key).join())).toEqual(['a', 'h00', 'h01', 'h02', 'h03']);
});

it('what was remembered for a call that is not made any more is forgotten', async () => {
  await save(Array.from({ length: 5 * BATCH }, () => ({ os: 'debian' })));
  shelf.after = () => {
    throw new Error('the line is dead');
  };
  const lost = await run();
  expect(lost).toMatchObject({ status: 'failed', message: expect.stringContaining('does not answer any more') });
  expect(shelf.calls.length).toBe(3);
  // The answers to three calls are lost, and the fourth was prepared.
  expect((await pending()).length).toBe(3 * BATCH);
  shelf.after = undefined;
  expect(await run()).toMatchObject({ status: 'done' });
  expect(keys('device').length).toBe(5 * BATCH);
  expect(await run()).toMatchObject({ summary: { written: 0, unchanged: 5 * BATCH } });
});

it('what is refused as a whole is tried one by one before the next call', async () => {
  await save(Array.from({ length: 2 * BATCH }, () => ({ os: 'debian' })));
  shelf.before = (changes) =>
    changes.length > 1 && changes[0]?.key === nameOf(0)
      ? changes.map(() => ({ done: false, code: 'not_tried', reason: 'all or nothing' }))
      : undefined;
  expect(await run()).toMatchObject({ status: 'done', summary: { written: 2 * BATCH } });
  expect(shelf.calls.map(({ length }) => length)).toEqual([BATCH, ...Array(BATCH).fill(1), BATCH]);
});

it('a plan is held while its system is read', async () => {
  await save([{ os: 'debian' }]);
  const { id } = await muster.run(makeStoredPlan, { account: 'out' });
  const keep = vi.spyOn(storage.plans, 'keep');
  const scan = storage.ownership.scan.bind(storage.ownership);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.spyOn(storage.ownership, 'scan').mockImplementation((...asked) => {
    vi.advanceTimersByTime(5_000);
    return scan(...asked);
  });
  let keptBefore = 0;
  shelf.before = () => {
    keptBefore = keep.mock.calls.length;
    return undefined;
  };
  expect(await muster.run(applyStoredPlan, { plan: id })).toMatchObject({ status: 'done' });
  // One more belongs to the applying.
  expect(keptBefore).toBeGreaterThan(1);
});
