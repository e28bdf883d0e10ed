import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { listAccountRuns } from '../../../src/app/accounts/operations/list-account-runs.ts';
import { showAccount } from '../../../src/app/accounts/operations/show-account.ts';
import { showAccounts } from '../../../src/app/accounts/operations/show-accounts.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import { importAccount } from '../../../src/app/runs/import/operations/import-account.ts';
import { listRuns } from '../../../src/app/runs/past/operations/list-runs.ts';
import { showRun } from '../../../src/app/runs/past/operations/show-run.ts';
import { undoImport } from '../../../src/app/undo/operations/undo-run.ts';
import type { SourceItem } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { feeds } from './fixtures/feeds.mjs';
import { OPERATOR, OperationsApp } from './operations-app.ts';

const FEEDS = fileURLToPath(new URL('fixtures/feeds.mjs', import.meta.url));
/** As large as the largest installations that this is promised to, where there is time for it. */
const MANY = process.env.THOROUGH ? 100_000 : 1_000;

function item(hostname: string, labels: Record<string, string | number>): SourceItem {
  return { kind: 'record', position: hostname, hostname, labels };
}

/** When the run at a place ended, to the second. */
function timeOf(place: string): string {
  return `${new Date(Number(place.split('-')[0])).toISOString().slice(0, 19)}Z`;
}

export function describeUndoRun(name: string, create: StorageHarness['create']): void {
  describe(`${name}: undoing an import`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage, { PLUGINS: [FEEDS] });
      const settings = { feed: 'dcim', delete_host_if_not_found_on_import: 'true', delete_threshold_percent: '100' };
      await muster.run(addAccount, { name: 'dcim', type: 'feed', settings });
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    async function imported(items: readonly SourceItem[]): Promise<string> {
      feeds.set('dcim', { items: [...items] });
      // Two that meet in one millisecond could not be told apart.
      await new Promise((resolve) => setTimeout(resolve, 3));
      await muster.run(importAccount, { account: 'dcim' });
      const { runs } = await muster.run(listRuns, { kind: 'import', limit: 1 });
      return runs[0]?.place ?? '';
    }

    const served = async () =>
      createHash('sha256')
        .update(await muster.text(renderInventory, { provider: 'automation' }))
        .digest('hex');

    it('serves the same bytes as before it', async () => {
      // The databases have their turn with all of them; one process that stands for MongoDB takes too long.
      const count = name === 'MongoDB' ? 1_000 : MANY;
      const hosts = (n: number, site: (index: number) => string) =>
        Array.from({ length: n }, (_, index) => item(`h${index}`, { site: site(index), cpus: index % 64 }));
      await imported(hosts(count, (index) => `s${index % 9}`));
      const before = await served();
      const wrong = await imported(
        hosts(count + count / 10, (index) => (index % 3 === 0 ? 'moon' : `s${index % 9}`)).slice(count / 20),
      );
      expect(await served()).not.toBe(before);
      const planned = await muster.run(undoImport, { place: wrong, dry_run: true });
      expect(planned).toMatchObject({ status: 'preview', archived: count / 10, restored: count / 20, left: 0 });
      const { status, changed, archived, restored } = await muster.run(undoImport, { place: wrong });
      expect({ changed, archived, restored }).toEqual({
        changed: planned.changed,
        archived: planned.archived,
        restored: planned.restored,
      });
      expect(status).toBe('undone');
      expect(await served()).toBe(before);
    }, 600_000);

    it('is a line of the log of imports, and cannot be undone itself', async () => {
      await imported([item('a', { site: 'fra' })]);
      const wrong = await imported([item('a', { site: 'moon' })]);
      await muster.run(undoImport, { place: wrong });
      const { runs } = await muster.run(listRuns, { kind: 'import', limit: 1 });
      expect(runs[0]).toMatchObject({ kind: 'import', name: 'dcim', outcome: 'undone' });
      expect(runs[0]?.message).toMatch(/^the run of .*: 1 change undone$/);
      expect(runs[0]?.undid).toBe(wrong);
      const { run, details } = await muster.run(showRun, { place: wrong });
      expect(run.undid).toBeNull();
      expect(details.some(({ message }) => message.includes('complete import'))).toBe(false);
      const told = (await muster.run(showRun, { place: runs[0]?.place ?? '' })).details.map(({ message }) => message);
      expect(told).toEqual([expect.stringMatching(/^the last complete import that was not undone is that of 20/)]);
      const again = muster.run(undoImport, { place: runs[0]?.place ?? '' });
      await expect(again).rejects.toThrow('when this import began was not kept');
    });

    /** What each answer of the account says that has to do with its runs. */
    async function told(account = 'dcim') {
      const { last_run, undone, incomplete } = await muster.run(showAccount, { name: account });
      const { accounts } = await muster.run(showAccounts, {});
      const { runs } = await muster.run(listAccountRuns, {});
      for (const other of [...accounts, ...runs].filter(({ name: one }) => one === account)) {
        expect({ last_run: other.last_run, undone: other.undone, incomplete: other.incomplete }).toEqual({
          last_run,
          undone,
          incomplete,
        });
      }
      return { outcome: last_run?.outcome, undone, incomplete };
    }

    it('makes an account one that wants an import when its source is right, until there was one', async () => {
      const right = await imported([item('a', { site: 'fra' })]);
      expect(await told()).toEqual({ outcome: 'done', undone: null, incomplete: null });
      const wrong = await imported([item('a', { site: 'moon' })]);
      await muster.run(undoImport, { place: wrong });
      const { outcome, undone, incomplete } = await told();
      expect({ outcome, incomplete }).toEqual({ outcome: 'undone', incomplete: null });
      expect(undone?.message).toMatch(/^Import of dcim undone: the run of .*: 1 change undone$/);
      expect(undone?.advice).toContain('Import again when the source is right');
      feeds.set('dcim', { items: [item('a', {})], fault: 'breaks' });
      await muster.run(importAccount, { account: 'dcim' });
      // What was taken back is no complete run, and the one before it still is.
      expect((await told()).incomplete).toMatchObject({ runs: 1, last_complete: timeOf(right) });
      await imported([item('a', { site: 'fra' })]);
      expect(await told()).toEqual({ outcome: 'done', undone: null, incomplete: null });
    });

    it('of all imports leaves none that was complete', async () => {
      const first = await imported([item('a', { site: 'fra' })]);
      const second = await imported([item('a', { site: 'moon' })]);
      await muster.run(undoImport, { place: first });
      await muster.run(undoImport, { place: second });
      feeds.set('dcim', { items: [item('a', {})], fault: 'breaks' });
      await muster.run(importAccount, { account: 'dcim' });
      expect((await told()).incomplete).toMatchObject({ runs: 1, last_complete: null });
    });

    it('that does not say which import it took back, as in older installations, is no complete run', async () => {
      await opened.storage.logs.append({
        id: 'a'.repeat(24),
        at: new Date(),
        message: 'Import of dcim undone: the one of 2026-03-01T03:00:00Z, 1 host changed back',
        source: 'import:dcim',
        details: [],
        hasError: false,
      });
      feeds.set('dcim', { items: [item('a', {})], fault: 'breaks' });
      await muster.run(importAccount, { account: 'dcim' });
      expect((await told()).incomplete).toMatchObject({ runs: 1, last_complete: null });
    });

    it('of an import that failed is no failure any more, which the next one that fails counts on', async () => {
      await imported([item('a', { site: 'fra' })]);
      feeds.set('dcim', { items: [item('a', { site: 'moon' })], fault: 'breaks' });
      const failed = async () => {
        await new Promise((resolve) => setTimeout(resolve, 3));
        await muster.run(importAccount, { account: 'dcim' });
        const { runs } = await muster.run(listRuns, { kind: 'import', limit: 1 });
        return runs[0]?.place ?? '';
      };
      const place = await failed();
      const before = await told();
      expect(before).toMatchObject({ outcome: 'failed', undone: null, incomplete: { runs: 1 } });
      await muster.run(undoImport, { place });
      expect(await told()).toMatchObject({ outcome: 'undone', incomplete: null });
      await failed();
      const since = before.incomplete?.since;
      expect(await told()).toMatchObject({ outcome: 'failed', undone: null, incomplete: { runs: 2, since } });
    });

    it('of an older import does not hide that the newest one failed', async () => {
      const wrong = await imported([item('a', { site: 'moon' })]);
      feeds.set('dcim', { items: [item('b', {})], fault: 'breaks' });
      await new Promise((resolve) => setTimeout(resolve, 3));
      await muster.run(importAccount, { account: 'dcim' });
      await muster.run(undoImport, { place: wrong });
      const { outcome, incomplete } = await told();
      expect(outcome).toBe('undone');
      expect(incomplete).toMatchObject({ runs: 1 });
      expect(incomplete?.message).toContain('the server went away');
    });

    it('refuses what it cannot tell apart, and what is no import', async () => {
      const place = await imported([item('a', { site: 'fra' })]);
      const [entry] = await opened.storage.logs.latest({ limit: 1, source: 'import:dcim' });
      if (entry === undefined) throw new Error('no entry');
      await opened.storage.logs.append({ ...entry, id: 'e'.repeat(24), at: new Date(entry.at.getTime() + 1) });
      await expect(muster.run(undoImport, { place })).rejects.toThrow('cannot be separated');
      const missing = muster.run(undoImport, { place: `0-${'0'.repeat(24)}` });
      await expect(missing).rejects.toMatchObject({ code: 'not_found' });
      const cron = { ...entry, id: 'd'.repeat(24), source: 'cron:nightly', message: 'Cron group nightly ran' };
      await opened.storage.logs.append(cron);
      const run = muster.run(undoImport, { place: `${cron.at.getTime()}-${cron.id}` });
      await expect(run).rejects.toThrow('only imports can be undone');
    });

    it('is for administrators', async () => {
      const place = await imported([item('a', { site: 'fra' })]);
      const olga = await muster.addCaller('olga', { roles: ['objects', 'syncer'] });
      await expect(muster.run(undoImport, { place }, olga)).rejects.toThrow('no api_role');
      const reader = { ...OPERATOR, readOnly: true };
      await expect(muster.run(undoImport, { place }, reader)).rejects.toThrow('may only read');
      expect(await muster.run(undoImport, { place, dry_run: true })).toMatchObject({ archived: 1 });
    });
  });
}
