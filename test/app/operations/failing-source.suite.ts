import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { deleteAccount } from '../../../src/app/accounts/operations/delete-account.ts';
import { listAccountRuns } from '../../../src/app/accounts/operations/list-account-runs.ts';
import { showAccount } from '../../../src/app/accounts/operations/show-account.ts';
import { showAccounts } from '../../../src/app/accounts/operations/show-accounts.ts';
import { hostHistory } from '../../../src/app/hosts/operations/host-history.ts';
import { importAccount } from '../../../src/app/runs/import/operations/import-account.ts';
import type { SourceItem } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { type Feed, feeds } from './fixtures/feeds.mjs';
import { OperationsApp } from './operations-app.ts';

const FEEDS = fileURLToPath(new URL('fixtures/feeds.mjs', import.meta.url));
const HOSTS = Array.from({ length: 10 }, (_, index) => `h${index}`);
const FILLS = { fills: 'section', section: 'facts' };
const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST = Date.UTC(2026, 2, 1, 3);

/** The day of a run, as answers say it. */
const day = (number: number): string => `2026-03-${String(number + 1).padStart(2, '0')}T03:00:00Z`;

function item(hostname: string, relation: readonly [type: string, target: string] | undefined): SourceItem {
  const relations = relation === undefined ? [] : [{ type: relation[0], target: relation[1] }];
  return { kind: 'record', position: hostname, hostname, labels: { cpus: 4 }, relations };
}

/** What a source that fails leaves behind, and says of itself. */
export function describeFailingSource(name: string, create: StorageHarness['create']): void {
  describe(`${name}: two sources of the same hosts`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    let now = FIRST;
    beforeEach(async () => {
      now = FIRST;
      opened = await create();
      const clock = { now: () => new Date(now) };
      muster = await OperationsApp.over(opened.storage, { PLUGINS: [FEEDS] }, undefined, undefined, clock);
      const archives = { delete_host_if_not_found_on_import: 'true' };
      await muster.run(addAccount, { name: 'dcim', type: 'feed', settings: { feed: 'dcim', ...archives } });
      await muster.run(addAccount, { name: 'facts', type: 'feed', settings: { feed: 'facts', ...FILLS } });
      feeds.set('dcim', { items: HOSTS.map((host) => item(host, ['runs_on', 'esx01'])) });
      feeds.set('facts', { items: HOSTS.map((host) => item(host, ['member_of', 'lan'])) });
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    const run = (account: string) => muster.run(importAccount, { account });
    const show = (account: string) => muster.run(showAccount, { name: account });

    async function incompleteEverywhere(account: string) {
      const [{ accounts }, { runs }] = await Promise.all([
        muster.run(showAccounts, {}),
        muster.run(listAccountRuns, {}),
      ]);
      const of = <Named extends { readonly name: string }>(all: readonly Named[]) =>
        all.find((one) => one.name === account);
      return [of(accounts)?.incomplete, of(runs)?.incomplete];
    }

    /** What stands of each source: active hosts, those of them whose section is filled, and edges. */
    async function standing() {
      const { hosts, relations } = opened.storage;
      const filter = { scope: null, kind: 'all', state: 'active' } as const;
      const active = (await hosts.page({ filter, offset: 0, limit: 100 })).map(({ hostname }) => hostname);
      const stored = await Promise.all(HOSTS.map((host) => hosts.get(host, null)));
      const filled = stored.filter((host) => Object.keys(Object(host?.inventory.value.facts)).length > 0);
      const edges = await relations.of(HOSTS);
      const countOf = (source: string) => edges.filter((edge) => edge.source === source).length;
      return { active: active.length, filled: filled.length, dcim: countOf('dcim'), facts: countOf('facts') };
    }

    it.each([
      ['dcim', 'facts', { active: 9, filled: 9, dcim: 8, facts: 10 }],
      ['facts', 'dcim', { active: 10, filled: 9, dcim: 10, facts: 8 }],
    ])('lose nothing while %s fails for a week, and what is really gone afterwards', async (failing, other, after) => {
      const feed = feeds.get(failing) as Feed;
      for (const account of ['dcim', 'facts']) expect(await run(account)).toMatchObject({ status: 'done' });
      const whole = { active: 10, filled: 10, dcim: 10, facts: 10 };
      expect(await standing()).toEqual(whole);
      expect((await show(failing)).incomplete).toBeNull();

      // One host is gone there, and one edge of another; half of the records are never given.
      feed.items = feed.items.slice(0, 9).map((one, index) => (index === 8 ? item('h8', undefined) : one));
      for (let number = 1; number <= 7; number++) {
        now = FIRST + number * DAY_MS;
        feed.fault = number % 2 === 0 ? 'gap' : 'breaks';
        const status = feed.fault === 'gap' ? 'partial' : 'failed';
        expect(await run(failing)).toMatchObject({ status, summary: { seen: 5, archived: 0 } });
        expect(await run(other)).toMatchObject({ status: 'done' });
        expect(await standing()).toEqual(whole);
        expect((await show(failing)).incomplete).toMatchObject({ since: day(1), runs: number, last_complete: day(0) });
      }

      const told = {
        since: day(1),
        runs: 7,
        part: null,
        last_complete: day(0),
        message: expect.stringContaining(`Import of ${failing} failed`),
        advice: expect.stringContaining(`muster account test ${failing}`),
      };
      expect(await incompleteEverywhere(failing)).toEqual([told, told]);
      expect(await incompleteEverywhere(other)).toEqual([null, null]);

      now += DAY_MS;
      feed.fault = undefined;
      expect(await run(failing)).toMatchObject({ status: 'done' });
      expect(await standing()).toEqual(after);
      expect(await incompleteEverywhere(failing)).toEqual([null, null]);
      feed.fault = 'breaks';
      now += DAY_MS;
      expect(await run(failing)).toMatchObject({ status: 'failed' });
      expect((await show(failing)).incomplete).toMatchObject({ since: day(9), runs: 1, last_complete: day(8) });
    });

    it('say so of each part of a source, whatever the runs of the others do', async () => {
      await muster.run(addAccount, { name: 'parts', type: 'feed_in_parts' });
      feeds.set('devices', { items: HOSTS.slice(0, 5).map((host) => item(host, undefined)) });
      feeds.set('vms', { items: HOSTS.slice(5).map((host) => item(host, undefined)) });
      const devices = feeds.get('devices') as Feed;
      const runPart = async (number: number, part?: string) => {
        now = FIRST + number * DAY_MS;
        return muster.run(importAccount, { account: 'parts', ...(part !== undefined && { part }) });
      };
      await runPart(0);
      devices.fault = 'breaks';
      expect(await runPart(1, 'devices')).toMatchObject({ status: 'failed' });
      expect(await runPart(2, 'vms')).toMatchObject({ status: 'done' });
      const told = {
        since: day(1),
        runs: 1,
        part: 'devices',
        last_complete: day(0),
        message: expect.stringContaining('Import of parts failed'),
      };
      expect((await show('parts')).incomplete).toMatchObject(told);
      expect(await incompleteEverywhere('parts')).toMatchObject([told, told]);
      await runPart(3, 'devices');
      expect((await show('parts')).incomplete).toMatchObject({ ...told, runs: 2 });
      devices.fault = undefined;
      await runPart(4, 'devices');
      expect(await incompleteEverywhere('parts')).toEqual([null, null]);
      devices.fault = 'breaks';
      await runPart(5, 'devices');
      devices.fault = undefined;
      await runPart(6);
      expect((await show('parts')).incomplete).toBeNull();
    });

    it('leave nothing of one that is deleted, and everything of the other', async () => {
      await muster.run(addAccount, { name: 'more', type: 'feed', settings: { feed: 'more', ...FILLS } });
      feeds.set('more', { items: HOSTS.slice(0, 3).map((host) => item(host, ['member_of', 'lan'])) });
      for (const account of ['dcim', 'facts', 'more']) await run(account);
      const byHand = { hostname: 'h0', type: 'connects_to', target: 'h1', source: 'facts' };
      await opened.storage.relations.add(byHand, null);
      await expect(muster.run(deleteAccount, { name: 'dcim' })).rejects.toMatchObject({ code: 'conflict' });
      expect(await standing()).toEqual({ active: 10, filled: 10, dcim: 10, facts: 11 });

      // What another account says, too, stands.
      const deleted = await muster.run(deleteAccount, { name: 'facts' });
      expect(deleted).toEqual({ status: 'deleted', name: 'facts', hosts: 0, relations: 10, sections: 7 });
      expect(await standing()).toEqual({ active: 10, filled: 3, dcim: 10, facts: 1 });
      const history = await muster.run(hostHistory, { hostname: 'h9' });
      expect(history.changes[0]).toMatchObject({ by: expect.stringMatching(/^user:/) });
      expect(await muster.run(deleteAccount, { name: 'more' })).toMatchObject({ relations: 3, sections: 3 });
      expect(await standing()).toEqual({ active: 10, filled: 0, dcim: 10, facts: 1 });
      await muster.run(addAccount, { name: 'facts', type: 'feed', settings: { feed: 'facts', ...FILLS } });
      expect(await run('facts')).toMatchObject({ status: 'done' });
      expect(await standing()).toEqual({ active: 10, filled: 10, dcim: 10, facts: 11 });
    });

    it('say so of a source that never gave everything', async () => {
      feeds.set('dcim', { items: HOSTS.map((host) => item(host, undefined)), fault: 'gap' });
      await run('dcim');
      expect((await show('dcim')).incomplete).toMatchObject({ since: day(0), runs: 1, last_complete: null });
    });
  });
}
