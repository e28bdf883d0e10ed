import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { noticeHappenings } from '../../../src/app/notifications/notice.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { LapsedRuns } from '../../../src/app/runs/active/lapsed-runs.ts';
import { importAccount } from '../../../src/app/runs/import/operations/import-account.ts';
import type { Storage } from '../../../src/ports/index.ts';
import { OperationsApp } from '../operations/operations-app.ts';

const UNTOLD = /^Import of crm failed: the program that ran it ended/;

let storage: Storage;
let muster: OperationsApp;
let folder: string;
let accountId: string;

beforeEach(async () => {
  storage = memoryStorage()({ clock: { now: () => new Date() } });
  await storage.start();
  muster = await OperationsApp.over(storage);
  folder = await mkdtemp(join(tmpdir(), 'muster-lapsed-'));
  await writeFile(join(folder, 'hosts.csv'), 'host\nweb1\n');
  const settings = { path: join(folder, 'hosts.csv'), hostname_field: 'host' };
  await muster.run(addAccount, { name: 'crm', type: 'csv', settings });
  accountId = (await muster.app.services.accounts.byName('crm'))?.id ?? '';
});

afterEach(async () => {
  vi.restoreAllMocks();
  await muster.stop();
  await storage.stop();
  await rm(folder, { recursive: true });
});

const RUN_ID = 'e'.repeat(24);

/** An import of which nobody hears any more. */
async function lapse(holder = 'elsewhere/1/2/run'): Promise<void> {
  const startedAt = new Date(Date.now() - 120_000);
  const run = { id: RUN_ID, kind: 'import', accountId, account: 'crm', part: null, startedBy: 'ada' } as const;
  await storage.activeRuns.begin({ ...run, startedAt, holder, leaseMs: -1 });
}

const entries = () => storage.logs.latest({ limit: 9, source: 'import:crm' });

function aMinutePasses(): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
}

it('is told as failed after a while, once, and receivers of notifications hear of it', async () => {
  await muster.run(addAccount, { name: 'hook', type: 'webhook', settings: { url: 'http://127.0.0.1:9/' } });
  const rule = { name: 'ops', enabled: true, receivers: ['hook'], cool_down_minutes: 0 };
  await muster.run(importRules, { override: true, rules: { notification_policies: [rule] } });
  await noticeHappenings(muster.app.services);
  await lapse();
  const lapsedRuns = new LapsedRuns(muster.app.services);
  await lapsedRuns.look();
  expect(await entries()).toEqual([]);
  aMinutePasses();
  await lapsedRuns.look();
  await lapsedRuns.look();
  expect(await entries()).toMatchObject([{ id: RUN_ID, hasError: true, message: expect.stringMatching(UNTOLD) }]);
  expect(await storage.activeRuns.lapsed()).toEqual([]);
  expect(await noticeHappenings(muster.app.services)).toBe(1);
});

it('is told at once where its process is known to be dead', async () => {
  const [machine] = muster.app.services.process.name.split('/');
  await lapse(`${machine}/2147483600/1/run`);
  await new LapsedRuns(muster.app.services).look();
  expect(await entries()).toMatchObject([{ id: RUN_ID }]);
});

it('is not told once more where its entry was written and only its end was not', async () => {
  const begin = vi.spyOn(storage.activeRuns, 'begin');
  vi.spyOn(storage.activeRuns, 'end').mockRejectedValueOnce(new Error('away'));
  await muster.run(importAccount, { account: 'crm' });
  const [run] = begin.mock.calls[0] ?? [];
  expect(await entries()).toMatchObject([{ id: run?.id, message: expect.stringMatching(/^Import of crm done/) }]);
  vi.spyOn(storage.activeRuns, 'list').mockResolvedValue([]);
  vi.spyOn(storage.activeRuns, 'lapsed').mockImplementation(async () =>
    run === undefined ? [] : [{ ...run, progress: null, holder: 'elsewhere/1/2/run' }],
  );
  const lapsedRuns = new LapsedRuns(muster.app.services);
  await lapsedRuns.look();
  aMinutePasses();
  await lapsedRuns.look();
  expect(await entries()).toHaveLength(1);
});

it('is told before the next import of the account begins', async () => {
  await lapse();
  await muster.run(importAccount, { account: 'crm' });
  expect(await entries()).toMatchObject([
    { message: expect.stringMatching(/^Import of crm done/) },
    { id: RUN_ID, message: expect.stringMatching(UNTOLD) },
  ]);
});
