import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { showAccount } from '../../../src/app/accounts/operations/show-account.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { saveInventory } from '../../../src/app/hosts/operations/save-inventory.ts';
import { cancelActiveRun } from '../../../src/app/runs/active/operations/cancel-active-run.ts';
import { listActiveRuns } from '../../../src/app/runs/active/operations/list-active-runs.ts';
import { importAccount } from '../../../src/app/runs/import/operations/import-account.ts';
import { listRuns } from '../../../src/app/runs/past/operations/list-runs.ts';
import { showRun } from '../../../src/app/runs/past/operations/show-run.ts';
import { listChanges } from '../../../src/app/search/operations/list-changes.ts';
import type { SourceItem } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { feeds } from './fixtures/feeds.mjs';
import { OPERATOR, OperationsApp } from './operations-app.ts';

const FEEDS = fileURLToPath(new URL('fixtures/feeds.mjs', import.meta.url));

function item(hostname: string): SourceItem {
  return { kind: 'record', position: hostname, hostname, labels: { cpus: 4 } };
}

/** What runs is seen by everybody, and not begun twice. */
export function describeActiveRuns(name: string, create: StorageHarness['create']): void {
  describe(`${name}: what runs now`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    let goOn: () => void;
    beforeEach(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage, { PLUGINS: [FEEDS] });
      const archives = { delete_host_if_not_found_on_import: 'true' };
      await muster.run(addAccount, { name: 'dcim', type: 'feed', settings: { feed: 'dcim', ...archives } });
      const until = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      feeds.set('dcim', { items: [item('h1'), item('h2')], until });
    });
    afterEach(async () => {
      goOn();
      await muster.stop();
      await opened.close();
    });

    const active = async () => (await muster.run(listActiveRuns, {})).runs;
    const started = () => vi.waitFor(async () => expect(await active()).toHaveLength(1), { timeout: 10_000 });

    it('refuses the second import of an account by name, and lets the first one end', async () => {
      const first = muster.run(importAccount, { account: 'dcim' });
      await started();
      const [run] = await active();
      expect(run).toMatchObject({ kind: 'import', account: 'dcim', part: null, started_by: 'operator' });
      const since = run?.started_at.replace('T', ' ').replace('Z', '');
      await expect(muster.run(importAccount, { account: 'dcim' })).rejects.toMatchObject({
        code: 'conflict',
        message: `the import of dcim is running since ${since} UTC, started by operator; wait until it ends, or cancel it with "muster run cancel ${run?.id}"`,
      });
      // Pages have a button that stops it.
      await expect(
        muster.run(importAccount, { account: 'dcim' }, { ...OPERATOR, entrance: 'admin' }),
      ).rejects.toMatchObject({
        code: 'conflict',
        message: `the import of dcim is running since ${since} UTC, started by operator; wait until it ends, or stop it in Runs`,
      });
      goOn();
      expect(await first).toMatchObject({ status: 'done', summary: { created: 2 } });
      expect(await active()).toEqual([]);
      expect(await muster.run(importAccount, { account: 'dcim' })).toMatchObject({ status: 'done' });
    });

    it('tells of a run that ended which hosts it changed, and of no other', async () => {
      const settings = { delete_host_if_not_found_on_import: 'true', delete_threshold_percent: '100' };
      await muster.run(addAccount, { name: 'shop', type: 'feed', settings: { feed: 'shop', ...settings } });
      feeds.set('shop', { items: [item('h1'), item('h2')] });
      await muster.run(importAccount, { account: 'shop' });
      await muster.run(saveInventory, { hostname: 'h1', key: 'hw', inventory: { cpu: 1 } });
      feeds.set('shop', { items: [{ ...item('h1'), labels: { cpus: 8 } }] as SourceItem[] });
      await new Promise((resolve) => setTimeout(resolve, 5));
      await muster.run(importAccount, { account: 'shop' });
      const { runs } = await muster.run(listRuns, { kind: 'import' });
      const [newest] = runs;
      const shown = await muster.run(showRun, { place: newest?.place ?? '' });
      expect(shown.run).toEqual(newest);
      expect(shown.details[0]?.message).toMatch(/1 updated.*1 archived/);
      const told = async (input: object) =>
        (await muster.run(listChanges, { ...input } as never)).changes.map(({ hostname, kind, by }) => [
          hostname,
          kind,
          by,
        ]);
      const ofRun = [
        ['h2', 'archived', 'account:shop'],
        ['h1', 'labels', 'account:shop'],
      ];
      expect((await told({ by: 'account:shop', from: shown.began })).sort()).toEqual([...ofRun].sort());
      expect(await told({ kind: 'archived' })).toEqual([ofRun[0]]);
      expect(await told({})).toHaveLength(3);
      expect(await told({ until: '2020-01-01' })).toEqual([]);
      const pages = [];
      for (let before: string | null | undefined; before !== null; ) {
        const page = await muster.run(listChanges, { limit: 1, ...(before === undefined ? {} : { before }) } as never);
        pages.push(...page.changes);
        before = page.next;
      }
      expect(pages).toHaveLength(3);
      await expect(muster.run(showRun, { place: `1-${'0'.repeat(24)}` })).rejects.toMatchObject({ code: 'not_found' });
      await expect(muster.run(listChanges, { from: '2026-02-31x' } as never)).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });

    it('says how far a run is, and lets others try what it would do', async () => {
      const first = muster.run(importAccount, { account: 'dcim' });
      await vi.waitFor(
        async () => expect((await active())[0]?.progress).toMatchObject({ done: 1, total: 2, unit: 'bytes' }),
        { timeout: 10_000 },
      );
      feeds.set('dcim', { items: [item('h1')] });
      expect(await muster.run(importAccount, { account: 'dcim', dry_run: true })).toMatchObject({ status: 'done' });
      goOn();
      await first;
    });

    it('ends a run that somebody cancels, which archives nothing then', async () => {
      goOn();
      await muster.run(importAccount, { account: 'dcim' });
      feeds.set('dcim', { items: [item('h1'), item('h3')], until: new Promise(() => undefined) });
      const second = muster.run(importAccount, { account: 'dcim' });
      await started();
      const [run] = await active();
      expect(await muster.run(cancelActiveRun, { run: run?.id })).toEqual({ id: run?.id, account: 'dcim' });
      expect(await second).toMatchObject({ status: 'failed', cancelled: true, summary: { archived: 0 } });
      expect(await active()).toEqual([]);
      const { runs } = await muster.run(listRuns, { kind: 'import' });
      expect(runs.map(({ outcome, message }) => [outcome, message])).toEqual([
        ['cancelled', 'nothing was archived'],
        ['done', expect.any(String)],
      ]);
      const account = await muster.run(showAccount, { name: 'dcim' });
      expect(account.last_run).toMatchObject({
        outcome: 'cancelled',
        message: 'Import of dcim cancelled: nothing was archived',
      });
      // Nothing is wrong with the source.
      expect(account.incomplete).toMatchObject({
        runs: 1,
        advice: expect.stringMatching(/Import again to complete it\.$/),
      });
      await expect(muster.run(cancelActiveRun, { run: run?.id })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('takes over at once from a process of this machine that was killed', async () => {
      goOn();
      const [machine = ''] = muster.app.services.process.name.split('/');
      const { id: accountId } = await muster.app.services.accounts.inScope('dcim', null);
      await opened.storage.activeRuns.begin({
        id: '1'.repeat(24),
        kind: 'import',
        accountId,
        account: 'dcim',
        part: null,
        startedBy: 'ada',
        startedAt: new Date(),
        // No process has so large a number.
        holder: `${machine}/99999999/1/x`,
        leaseMs: 600_000,
      });
      expect(await active()).toEqual([]);
      expect(await muster.run(importAccount, { account: 'dcim' })).toMatchObject({ status: 'done' });
    });

    it('lets a scheduled import wait for as long as one that died elsewhere may seem to run', async () => {
      goOn();
      const { id: accountId } = await muster.app.services.accounts.inScope('dcim', null);
      await opened.storage.activeRuns.begin({
        id: '3'.repeat(24),
        kind: 'import',
        accountId,
        account: 'dcim',
        part: null,
        startedBy: 'schedule',
        startedAt: new Date(),
        holder: 'elsewhere/1/1/x',
        leaseMs: 1_500,
      });
      await expect(muster.run(importAccount, { account: 'dcim' })).rejects.toMatchObject({ code: 'conflict' });
      const scheduled = { ...OPERATOR, entrance: 'cron' } as const;
      expect(await muster.run(importAccount, { account: 'dcim' }, scheduled)).toMatchObject({ status: 'done' });
    });

    it('refuses an export beside another one, and logs no failed run for it', async () => {
      await muster.run(addAccount, {
        name: 'out',
        type: 'files',
        settings: { path: '/tmp/muster-none', shape: 'csv' },
      });
      const { id: accountId } = await muster.app.services.accounts.inScope('out', null);
      await opened.storage.activeRuns.begin({
        id: '2'.repeat(24),
        kind: 'export',
        accountId,
        account: 'out',
        part: null,
        startedBy: 'ada',
        startedAt: new Date(),
        holder: 'elsewhere/1/1/x',
        leaseMs: 600_000,
      });
      await expect(muster.run(exportAccount, { account: 'out' })).rejects.toMatchObject({ code: 'conflict' });
      expect(await opened.storage.logs.latest({ limit: 1, source: 'export:out' })).toEqual([]);
    });
  });
}
