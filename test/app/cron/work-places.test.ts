import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { runDoctor } from '../../../src/app/maintenance/operations/run-doctor.ts';
import { listActiveRuns } from '../../../src/app/runs/active/operations/list-active-runs.ts';
import { waitingText } from '../../../src/app/runs/active/words.ts';
import { hasFilesHere } from '../../../src/app/runs/offers/files-here.ts';
import type { Clock } from '../../../src/ports/index.ts';
import { OperationsApp } from '../operations/operations-app.ts';

let folder: string;
let muster: OperationsApp;
let now: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-places-'));
  now = Date.UTC(2026, 5, 1, 12);
  const clock: Clock = { now: () => new Date(now) };
  const storage = memoryStorage()({ clock });
  await storage.start();
  const config = { TAKES: ['default'], FILE_SOURCE_DIRS: [folder], FILE_TARGET_DIRS: [folder] };
  muster = await OperationsApp.over(storage, config, undefined, undefined, clock);
});

afterEach(async () => {
  await muster.stop();
  await rm(folder, { recursive: true });
});

const add = (name: string, type: string, settings: Readonly<Record<string, string>>) =>
  muster.run(addAccount, { name, type, settings });

async function nodeFindings() {
  const { findings } = await muster.run(runDoctor, {});
  return findings.filter(({ check }) => check === 'nodes');
}

function offer(): Promise<void> {
  const job = { name: 'load', command: 'Import', account: 'dmz' };
  const body = JSON.stringify({ group: 'g', groupName: 'nightly', kind: 'Import', account: 'dmz', runsAt: 'dmz', job });
  return muster.storage.work.offer({
    ...{ id: '1'.repeat(24), body, at: new Date(now), offeredBy: 'n1/1', leaseMs: 600_000 },
  });
}

it('is named by doctor before a run where there is one node, and once for each account', async () => {
  await add('here', 'csv', { path: join(folder, 'a.csv') });
  expect(await nodeFindings()).toEqual([]);
  await add('dmz', 'csv', { path: join(folder, 'b.csv'), runs_at: 'dmz' });
  expect(await nodeFindings()).toMatchObject([
    { ok: false, message: expect.stringMatching(/^cron jobs of account dmz run at dmz, which TAKES of this node/) },
  ]);
  await offer();
  now += 61_000;
  expect(await nodeFindings()).toMatchObject([
    { ok: false, message: expect.stringMatching(/^account dmz in cron group nightly waits for a node that takes dmz/) },
  ]);
});

it('shows what waits for a node, and nothing of it once a node has it', async () => {
  await offer();
  const waiting = { job: 'load', account: 'dmz', group: 'nightly', runs_at: 'dmz', since: '2026-06-01T12:00:00Z' };
  expect(await muster.run(listActiveRuns, {})).toEqual({ runs: [], waiting: [waiting] });
  expect(waitingText(waiting)).toBe(
    'load of dmz (cron group nightly) waits for a node that takes dmz since 2026-06-01 12:00:00',
  );
  await muster.storage.work.claim({ id: '1'.repeat(24), holder: 'n2/1', leaseMs: 600_000 });
  expect(await muster.run(listActiveRuns, {})).toEqual({ runs: [], waiting: [] });
});

it('is the node that has the files, where nodes do not share them', async () => {
  await writeFile(join(folder, 'there.csv'), 'host\nalpha\n');
  await add('there', 'csv', { path: join(folder, 'there.csv') });
  await add('all', 'csv', { path: join(folder, '*.csv') });
  await add('gone', 'csv', { path: join(folder, 'gone.csv') });
  await add('none', 'csv', { path: join(folder, '*.txt') });
  await add('out', 'json_file', { path: join(folder, 'out.json') });
  await add('written', 'json_file', { path: join(folder, 'there.csv') });
  const { services } = muster.app;
  const config = (SHARED_DATA: boolean) => ({ value: { ...services.config, SHARED_DATA } });
  const several = Object.create(services, { hasOtherNodes: { value: true } });
  const sharing = Object.create(several, { config: config(true) });
  const answers: Record<string, readonly boolean[]> = {};
  for (const account of await services.accounts.list(null))
    answers[account.name] = await Promise.all(
      [several, sharing, services].map((each: typeof services) => hasFilesHere(each, account)),
    );
  expect(answers).toEqual({
    ...{ all: [true, true, true], there: [true, true, true], written: [true, true, true] },
    ...{ gone: [false, true, true], none: [false, true, true], out: [false, true, true] },
  });
});
