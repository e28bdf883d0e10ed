import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { deleteAccount } from '../../../src/app/accounts/operations/delete-account.ts';
import { setAccount } from '../../../src/app/accounts/operations/set-account.ts';
import { showAccount } from '../../../src/app/accounts/operations/show-account.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { applyStoredPlan } from '../../../src/app/exports/plans/operations/apply-plan.ts';
import { approvePlan } from '../../../src/app/exports/plans/operations/approve-plan.ts';
import { discardPlan } from '../../../src/app/exports/plans/operations/discard-plan.ts';
import { listPlans } from '../../../src/app/exports/plans/operations/list-plans.ts';
import { makeStoredPlan } from '../../../src/app/exports/plans/operations/make-plan.ts';
import { showPlan } from '../../../src/app/exports/plans/operations/show-plan.ts';
import { waitingPlans } from '../../../src/app/exports/plans/waiting-plans.ts';
import { deleteHost } from '../../../src/app/hosts/operations/delete-host.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { listLogs } from '../../../src/app/journal/operations/list-logs.ts';
import type { Caller } from '../../../src/app/kernel/caller.ts';
import type { Ask } from '../../../src/app/maintenance/upkeep-parts.ts';
import { testAccount } from '../../../src/app/preview/operations/test-account.ts';
import { confirmRule } from '../../../src/app/rules/operations/confirm-rule.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { runCronGroup } from '../../../src/app/runs/cron/operations/run-group.ts';
import { listRuns } from '../../../src/app/runs/past/operations/list-runs.ts';
import { NO_PLAN_COUNTS, type OwnedObject, StoredJson } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { minute, ruleId } from '../../../src/testing/samples.ts';
import { putTogether } from '../../support/english-wordings.ts';
import { OperationsApp } from '../operations/operations-app.ts';
import { find, keys, put, resetShelf, shelf } from './fixtures/shelf.mjs';

const SHELF = fileURLToPath(new URL('fixtures/shelf.mjs', import.meta.url));
const code = (expected: string) => expect.objectContaining({ code: expected });

/** Plans and their application, whatever the hosts are stored in. Run over every storage adapter. */
export function describePlans(name: string, create: StorageHarness['create']): void {
  describe(`${name}: plans`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage, { PLUGINS: [SHELF], PLUGIN_TIMEOUT_SECONDS: 5 });
      resetShelf();
      await muster.addAccounts('red');
      await muster.run(addAccount, { name: 'out', type: 'shelf', settings: {} });
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    const save = (hostname: string, labels: object = {}) => muster.run(saveHost, { hostname, account: 'red', labels });
    const remove = (hostname: string) => muster.run(deleteHost, { hostname });
    const set = (settings: object) => muster.run(setAccount, { name: 'out', settings });
    const run = () => muster.run(exportAccount, { account: 'out' });
    const plan = (caller?: Caller) => muster.run(makeStoredPlan, { account: 'out' }, caller);
    const show = (id: string, more: object = {}) => muster.run(showPlan, { plan: id, ...more });
    const apply = (id: string, caller?: Caller) => muster.run(applyStoredPlan, { plan: id }, caller);
    const entries = async (id: string) =>
      (await show(id)).entries.map(({ action, kind, key }) => `${action} ${kind} ${key}`);
    const planned = async () => entries((await plan()).id);

    async function owned(): Promise<OwnedObject[]> {
      const account = await muster.app.services.accounts.byName('out');
      const found: OwnedObject[] = [];
      for await (const batch of opened.storage.ownership.scan(account?.id ?? '', 100)) found.push(...batch);
      return found;
    }

    /** The second run of an unchanged world. */
    async function expectSettled(): Promise<void> {
      shelf.calls.length = 0;
      const report = await run();
      expect(report).toMatchObject({ status: 'done', summary: { written: 0, failed: 0 } });
      expect(shelf.calls).toEqual([]);
      expect(await planned()).toEqual([]);
      expect((await owned()).filter(({ pending }) => pending !== null)).toEqual([]);
    }

    it('make what hosts want, in order of kinds and of what comes after what, and nothing the second time', async () => {
      await save('web2', { site: 'berlin', os: 'debian', under: 'web1' });
      await save('web1', { site: 'berlin', os: 'rocky', under: 'web3' });
      await save('web3', { site: 'paris', tags: ['b', 'a'] });
      const { id, status, counts } = await plan();
      expect(status).toBe('ready');
      expect(counts).toMatchObject({ create: 5, update: 0, delete: 0, unchanged: 0 });
      expect(await entries(id)).toEqual([
        'create site berlin',
        'create site paris',
        'create device web3',
        'create device web1',
        'create device web2',
      ]);
      expect((await show(id)).entries[3]).toMatchObject({
        hostname: 'web1',
        fields: [
          { name: 'os', after: 'rocky' },
          { name: 'made', after: 'by muster' },
        ],
        outcome: null,
      });
      expect(shelf.calls).toEqual([]);
      const applied = await apply(id);
      expect(applied).toMatchObject({ status: 'done', done: 5, failed: 0, applied_by: 'operator', failures: [] });
      expect(keys('device')).toEqual(['web1', 'web2', 'web3']);
      expect((await show(id)).entries.map(({ outcome }) => outcome)).toEqual(Array(5).fill('done'));
      await expect(apply(id)).rejects.toEqual(code('conflict'));
      await expectSettled();
    });

    it('go with their account, which goes only when it owns nothing there, or leaves it there', async () => {
      await save('web1');
      const { id } = await plan();
      await run();
      const account = (await muster.app.services.accounts.byName('out'))?.id ?? '';
      const mark = { accountId: account, kind: 'section', value: 'x' } as const;
      await opened.storage.marks.put({ ...mark, hostnames: ['web1'], at: new Date() });
      const drop = (more: object = {}) => muster.run(deleteAccount, { name: 'out', ...more });
      await expect(drop()).rejects.toThrow(/owns 1 object in the system .* --forget/);
      expect(await owned()).toHaveLength(1);
      const claim = { id, holder: 'somebody', by: 'nina', at: new Date(), leaseMs: 60_000 };
      expect(await opened.storage.plans.claim(claim)).toBe(true);
      await expect(drop({ forget: true })).rejects.toThrow(/being exported to .* applying/);
      expect(await opened.storage.ownership.count(account)).toBe(1);
      const end = { id, holder: 'somebody', at: new Date(), status: 'done', done: 0, failed: 0, message: '' } as const;
      expect(await opened.storage.plans.finish(end)).toBe(true);
      expect(await drop({ forget: true })).toMatchObject({ status: 'deleted', name: 'out' });
      expect(keys('device')).toEqual(['web1']);
      expect(await opened.storage.ownership.count(account)).toBe(0);
      expect(await opened.storage.plans.list({ limit: 10, accounts: [account] })).toEqual([]);
      expect(await opened.storage.marks.count(mark)).toBe(0);
    });

    it('write only fields that differ, lists as sets, and what is written once never again', async () => {
      await save('web1', { os: 'debian', tags: ['a', 'b'] });
      await run();
      const device = find('device', 'web1');
      Object.assign(device.fields, { tags: ['b', 'a', 'a'], made: 'by hand', comment: 'not ours' });
      await expectSettled();
      await save('web1', { os: 'rocky', tags: ['a', 'b'] });
      const { id } = await plan();
      expect((await show(id)).entries).toMatchObject([
        { action: 'update', drift: false, fields: [{ name: 'os', before: 'debian', after: 'rocky' }] },
      ]);
      await apply(id);
      expect(shelf.calls.at(-1)).toMatchObject([
        {
          action: 'update',
          fields: { os: 'rocky' },
          before: { os: 'debian' },
          current: { os: 'debian', tags: ['b', 'a', 'a'], made: 'by hand' },
        },
      ]);
      expect(find('device', 'web1').fields).toMatchObject({ os: 'rocky', comment: 'not ours', made: 'by hand' });
      await expectSettled();
    });

    it('show as drift what somebody changed there', async () => {
      await save('web1', { os: 'debian' });
      await run();
      find('device', 'web1').fields.os = 'by hand';
      const { id } = await plan();
      const shown = await show(id);
      expect(shown.drift).toBe(1);
      expect(shown.entries).toMatchObject([
        { action: 'update', drift: true, fields: [{ name: 'os', before: 'by hand', after: 'debian' }] },
      ]);
    });

    it.each([true, false])('delete only what is ours, with marks there: %s', async (marks) => {
      shelf.marks = marks;
      put('device', 'theirs', { os: 'x' });
      put('device', 'others', { os: 'x' }, 'other');
      for (const hostname of ['web1', 'web2', 'web3', 'web4', 'web5', 'web6']) await save(hostname, { site: 'berlin' });
      await run();
      await remove('web2');
      expect(await planned()).toEqual(['delete device web2']);
      expect(await run()).toMatchObject({ status: 'done', objects: { delete: 1, unchanged: 6 } });
      expect(keys('device')).toEqual(['others', 'theirs', 'web1', 'web3', 'web4', 'web5', 'web6']);
      await expectSettled();
    });

    it('delete kinds the other way round, longer keys first', async () => {
      await set({ delete_threshold: '100%', allow_empty: 'true' });
      for (const hostname of ['a', 'a-1', 'a-1-x']) await save(hostname, { site: 'berlin' });
      await run();
      for (const hostname of ['a', 'a-1', 'a-1-x']) await remove(hostname);
      expect(await planned()).toEqual([
        'delete device a-1-x',
        'delete device a-1',
        'delete device a',
        'delete site berlin',
      ]);
      await run();
      expect(shelf.objects.size).toBe(0);
    });

    it('never touch what belongs to others, and take over what belongs to nobody when the account says so', async () => {
      const mine = put('device', 'web1', { os: 'old', comment: 'x' });
      put('device', 'web2', { os: 'old' }, 'other');
      await save('web1', { os: 'debian' });
      await save('web2', { os: 'debian' });
      expect(await planned()).toEqual(['conflict device web1', 'conflict device web2']);
      expect(await run()).toMatchObject({ status: 'partial', summary: { failed: 2 }, objects: { conflict: 2 } });
      expect(shelf.calls).toEqual([]);
      await set({ adopt: 'true' });
      expect(await planned()).toEqual(['adopt device web1', 'conflict device web2']);
      await run();
      expect(shelf.calls).toMatchObject([[{ action: 'adopt', id: mine, fields: { os: 'debian' } }]]);
      expect(await planned()).toEqual(['conflict device web2']);
      expect(find('device', 'web2').fields.os).toBe('old');
    });

    it.each([true, false])('move an object whose key is another one by now, with marks there: %s', async (marks) => {
      shelf.marks = marks;
      for (const hostname of ['web1', 'web2', 'web3']) await save(hostname, { os: 'debian', name: `old-${hostname}` });
      await run();
      const { id: remoteId } = find('device', 'old-web1');
      await save('web1', { os: 'rocky', name: 'new-web1' });
      const { id } = await plan();
      expect((await show(id)).entries).toMatchObject([
        {
          action: 'move',
          key: 'new-web1',
          previous_key: 'old-web1',
          drift: false,
          fields: [{ name: 'os', before: 'debian', after: 'rocky' }],
        },
      ]);
      await apply(id);
      expect(find('device', 'new-web1')).toMatchObject({ id: remoteId, fields: { os: 'rocky' } });
      await expectSettled();
      // Somebody there gives it another name.
      find('device', 'new-web1').key = 'by-hand';
      const back = await plan();
      expect((await show(back.id)).entries).toMatchObject([
        { action: 'move', key: 'new-web1', previous_key: 'by-hand', drift: true, fields: [] },
      ]);
      await apply(back.id);
      expect(find('device', 'new-web1').id).toBe(remoteId);
      await expectSettled();
      find('device', 'new-web1').key = 'by-hand';
      await save('web1', { os: 'rocky', name: 'by-hand' });
      await expectSettled();
    });

    it('name both hosts that want different things of one object, and write neither', async () => {
      await save('web1', { name: 'shared', os: 'a' });
      await save('web2', { name: 'shared', os: 'b' });
      await save('web3', { name: 'same', os: 'a' });
      await save('web4', { name: 'same', os: 'a' });
      const { id } = await plan();
      expect(await entries(id)).toEqual(['create device same', 'conflict device shared']);
      expect((await show(id, { action: 'conflict' })).entries[0]?.reason).toBe(
        'web1 and web2 want different states for it',
      );
      await run();
      expect(keys('device')).toEqual(['same']);
      await save('web2', { name: 'shared', os: 'a' });
      await run();
      await save('web2', { name: 'shared', os: 'c' });
      // The first of them wants what is there.
      expect((await plan()).counts).toMatchObject({ conflict: 1, unchanged: 1, update: 0 });
    });

    it('put together what several hosts want of one object that they share', async () => {
      const room = (hostname: string, object: object) =>
        save(hostname, { room: JSON.stringify({ key: 'attic', ...object }) });
      await room('web1', { fields: { floor: 4, notes: { a: '1' }, tags: ['x', 'y'], made: 'first' } });
      await room('web2', { fields: { floor: 4, color: 'red', notes: { b: '2' }, tags: ['y', 'x'], made: 'second' } });
      await room('web3', { fields: { floor: 4 }, after: [{ kind: 'device', key: 'web3' }] });
      await room('web4', { key: 'cellar', fields: { floor: 0 } });
      await run();
      const made = { floor: 4, color: 'red', notes: { a: '1', b: '2' }, tags: ['x', 'y'], made: 'first' };
      expect(find('room', 'attic').fields).toEqual(made);
      expect(find('room', 'cellar').fields).toEqual({ floor: 0 });
      await expectSettled();
      find('room', 'attic').fields.color = 'blue';
      const { id, counts } = await plan();
      expect(counts).toMatchObject({ update: 1, conflict: 0, unchanged: 5 });
      expect((await show(id)).entries).toMatchObject([
        { key: 'attic', hostname: 'web1', drift: true, fields: [{ name: 'color', before: 'blue', after: 'red' }] },
      ]);
      await apply(id);
      // Who named it no more leaves it as it is.
      await room('web2', { fields: { floor: 4 } });
      await expectSettled();
      expect(find('room', 'attic').fields).toEqual(made);
      await save('web4');
      await run();
      expect(keys('room')).toEqual(['attic']);
    });

    it('name both hosts that contradict each other in what they share, and the field', async () => {
      const rooms = { web1: { floor: 4 }, web2: { color: 'red', notes: { a: '1' } }, web3: { notes: { a: '2' } } };
      for (const [hostname, fields] of Object.entries(rooms)) {
        await save(hostname, { room: JSON.stringify({ key: 'attic', fields }) });
      }
      const { id } = await plan();
      expect((await show(id, { action: 'conflict' })).entries).toMatchObject([
        { key: 'attic', reason: 'web2 and web3 want different states for it (notes)' },
      ]);
      await run();
      expect(keys('room')).toEqual([]);
    });

    it('touch nothing that is there twice, and nothing that comes after what is not there', async () => {
      await set({ adopt: 'true' });
      put('device', 'twin', { os: 'x' });
      put('device', 'twin', { os: 'y' });
      await save('twin', { os: 'z' });
      await save('web1', { under: 'nobody' });
      await save('web2', { under: 'web3' });
      await save('web3', { under: 'web2' });
      const { id } = await plan();
      expect(await entries(id)).toEqual([
        'conflict device twin',
        'conflict device web1',
        'conflict device web2',
        'conflict device web3',
      ]);
      const [, missing, circle] = (await show(id)).entries;
      expect(missing?.reason).toContain('nobody');
      expect(circle?.reason).toContain('depends on itself');
    });

    it.each(['device', 'room'])('keep a %s that an undecided host may want too', async (kind) => {
      await set({ delete_threshold: '100%' });
      const wants = (key: string) =>
        kind === 'room' ? { room: JSON.stringify({ key, fields: { floor: 4 } }) } : { name: key, os: 'a' };
      for (const hostname of ['web1', 'web2']) await save(hostname, wants('same'));
      await save('web3', wants('other'));
      await run();
      await expectSettled();
      await save('web2', { boom: 1 });
      await save('web1', wants('another'));
      expect(await run()).toMatchObject({ objects: { delete: 0, move: 0, create: 1 } });
      await remove('web1');
      const report = await run();
      expect(report.objects).toMatchObject({ delete: 1 });
      expect(keys(kind)).toContain('same');
      await save('web2', wants('other'));
      await run();
      expect(keys(kind)).toEqual(['other']);
      await expectSettled();
    });

    it('keep what a host has that cannot have what it wants instead', async () => {
      await set({ delete_threshold: '100%' });
      for (const hostname of ['web1', 'web2']) await save(hostname, { name: `old-${hostname}`, site: 'berlin' });
      await run();
      put('device', 'new-web1', { os: 'foreign' }, 'other');
      await save('web1', { name: 'new-web1', site: 'berlin' });
      const report = await run();
      expect(report).toMatchObject({ status: 'partial', objects: { delete: 0, kept: 1, conflict: 1 } });
      expect(report.failures.map(({ reason }) => reason)).toContain(
        'device old-web1 stays, because its host cannot have what it wants instead',
      );
      expect(keys('device')).toEqual(['new-web1', 'old-web1', 'old-web2']);
      await save('web1', { name: 'other', site: 'berlin' });
      expect(await planned()).toEqual(['move device other']);
    });

    it('remember the objects of kinds that the target does not declare for a while', async () => {
      shelf.marks = false;
      for (const hostname of ['web1', 'web2']) await save(hostname, { site: 'berlin' });
      await run();
      shelf.only = ['site'];
      expect(await planned()).toEqual([]);
      await expectSettled();
      shelf.only = undefined;
      await expectSettled();
    });

    it('are refused while the system no longer shows much of what Muster made', async () => {
      shelf.marks = false;
      for (let n = 0; n < 10; n++) await save(`h${n}`);
      await run();
      for (const hostname of ['h8', 'h9']) await remove(hostname);
      shelf.hides = () => true;
      shelf.calls.length = 0;
      expect(await plan()).toMatchObject({
        status: 'refused',
        message: expect.stringContaining('no longer shows 10 of 10 objects of the kind device'),
      });
      expect(await run()).toMatchObject({ status: 'failed', message: expect.stringContaining('delete_threshold') });
      expect(shelf.calls).toEqual([]);
      shelf.hides = undefined;
      expect(await run()).toMatchObject({ status: 'done', objects: { delete: 2, unchanged: 8 } });
      // What is gone indeed is made again, and what no host wants is forgotten by an export alone.
      for (const gone of ['h5', 'h6', 'h7']) shelf.objects.delete(find('device', gone).id);
      expect(await run()).toMatchObject({ status: 'done', objects: { create: 3 } });
      shelf.objects.delete(find('device', 'h0').id);
      await remove('h1');
      shelf.hides = ({ key }) => key === 'h1';
      expect(await planned()).toEqual(['create device h0']);
      shelf.hides = undefined;
      expect((await planned()).sort()).toEqual(['create device h0', 'delete device h1']);
      shelf.objects.delete(find('device', 'h1').id);
      await set({ delete_threshold: '100%' });
      await run();
      await expectSettled();
      expect((await owned()).map(({ key }) => key)).not.toContain('h1');
    });

    it('are refused for a system that was set up again and gives the ids to others', async () => {
      shelf.marks = false;
      for (let n = 0; n < 10; n++) await save(`h${n}`, { os: 'debian' });
      await run();
      for (const object of shelf.objects.values())
        Object.assign(object, { key: `their-${object.key}`, fields: { os: 'x' } });
      await remove('h9');
      shelf.calls.length = 0;
      const message = expect.stringContaining('the system no longer shows 10 of ');
      expect(await run()).toMatchObject({ status: 'failed', message });
      expect(shelf.calls).toEqual([]);
    });

    it('count no references as owned', async () => {
      for (let n = 0; n < 10; n++) put('maker', `m${n}`, { title: 'by hand' });
      for (let n = 0; n < 10; n++) await save(`h${n}`, { maker: `m${n}` });
      await run();
      expect((await owned()).filter(({ kind }) => kind === 'maker')).toEqual([]);
      for (const hostname of ['h0', 'h1', 'h2']) await remove(hostname);
      expect((await plan()).message).toContain('would delete 3 of 10 objects');
    });

    it('keep the objects of hosts that nobody knows what they want', async () => {
      for (const hostname of ['web1', 'web2', 'web3']) await save(hostname, { os: 'debian' });
      await run();
      await save('web1', { boom: 1 });
      const report = await run();
      expect(report).toMatchObject({ status: 'partial', objects: { kept: 1, delete: 0 } });
      expect(report.failures.map(({ hostname }) => hostname)).toEqual(['web1', 'web1']);
      expect(report.failures[0]?.reason).toContain('cannot say');
      expect(keys('device')).toEqual(['web1', 'web2', 'web3']);
    });

    it('delete and make nothing of a kind that was not read completely', async () => {
      for (const hostname of ['web1', 'web2', 'web3']) await save(hostname, { os: 'debian' });
      await run();
      await remove('web2');
      await save('web4');
      await save('web1', { os: 'rocky' });
      shelf.gaps.push({ gap: 'page 2 of 3', reason: 'answered 500', kinds: ['device'] });
      const { id, counts, message } = await plan();
      expect(counts).toMatchObject({ kept: 1, delete: 0, create: 0, update: 1, conflict: 1 });
      expect(message).toContain('page 2 of 3: answered 500');
      expect(await entries(id)).toEqual(['update device web1', 'conflict device web4']);
      await run();
      expect(keys('device')).toEqual(['web1', 'web2', 'web3']);
    });

    it('are refused above a threshold before anything is changed', async () => {
      const hosts = Array.from({ length: 10 }, (_, n) => `h${n}`);
      for (const hostname of hosts) await save(hostname);
      await run();
      for (const hostname of hosts.slice(0, 3)) await remove(hostname);
      shelf.calls.length = 0;
      const { id, status, message } = await plan();
      expect([status, message]).toEqual(['refused', expect.stringContaining('would delete 3 of 10 objects')]);
      expect(message).toContain('delete_threshold');
      await expect(apply(id)).rejects.toEqual(code('conflict'));
      expect(await run()).toMatchObject({ status: 'failed', message: expect.stringContaining('delete_threshold') });
      const [logged] = await opened.storage.logs.latest({ limit: 1 });
      expect(logged?.message).toContain('would delete 3 of 10 objects');
      expect(logged?.wording && putTogether(logged.wording)).toBe(logged?.message);
      expect(shelf.calls).toEqual([]);
      expect(keys('device').length).toBe(10);
      await set({ delete_threshold: '3' });
      expect(await run()).toMatchObject({ status: 'done', objects: { delete: 3 } });
      await set({ create_threshold: '1', change_threshold: '10%' });
      await save('new1');
      expect((await plan()).status).toBe('ready');
      await save('new2');
      expect((await plan()).message).toContain('create_threshold');
      await set({ create_threshold: '' });
      await save('h5', { os: 'x' });
      expect((await plan()).message).toContain('change_threshold');
      await expect(set({ delete_threshold: 'many' })).rejects.toEqual(code('invalid_input'));
    });

    it('are listed newest first, a page at a time', async () => {
      await save('web1');
      const ids = [(await plan()).id, (await plan()).id, (await plan()).id];
      const first = await muster.run(listPlans, { account: 'out', limit: 2 });
      expect(first).toMatchObject({ plans: [{ id: ids[2] }, { id: ids[1] }], next: ids[1] });
      const last = await muster.run(listPlans, { account: 'out', limit: 2, before: first.next ?? '' });
      expect(last).toMatchObject({ plans: [{ id: ids[0] }], next: null });
    });

    it('are reported while they wait, however many of other accounts are newer', async () => {
      const { plans } = opened.storage;
      const id = (await muster.app.services.accounts.byName('out'))?.id ?? '';
      const begin = {
        madeBy: 'ada',
        basis: { hosts: 1, rules: 'r' },
        holder: 'n',
        leaseMs: 60_000,
        isExclusive: false,
      };
      const end = { counts: NO_PLAN_COUNTS, drift: 0, needsApproval: true, message: '' };
      const make = async (number: number, accountId: string, status: 'ready' | 'failed') => {
        const plan = { id: ruleId(number), accountId, account: accountId, madeAt: minute(number) };
        await plans.begin({ ...begin, ...plan });
        await plans.settle({ ...end, id: plan.id, status });
      };
      await make(1, id, 'ready');
      for (let number = 2; number <= 103; number++) await make(number, ruleId(9), 'failed');
      const { figures } = await muster.app.services.figures.read();
      expect(figures?.plans).toMatchObject([{ account: 'out', waiting: 1 }]);
      const ask: Ask = (operation, input) => muster.run(operation, { ...(input as object), limit: 50 });
      expect(await waitingPlans(ask)).toMatchObject([{ command: `muster plan show ${ruleId(1)}` }]);
    });

    it('refuse to empty the target, unless the account allows it', async () => {
      await save('web1');
      await run();
      await remove('web1');
      await expect(plan()).rejects.toThrow(/allow_empty/);
      expect(await run()).toMatchObject({ status: 'failed', message: expect.stringContaining('allow_empty') });
      expect(keys('device')).toEqual(['web1']);
      const [failed] = (await muster.run(listPlans, {})).plans;
      expect(failed).toMatchObject({ status: 'failed', message: expect.stringContaining('allow_empty') });
    });

    it('wait for another user where they are large', async () => {
      await set({ approval_above: '1' });
      const ada = await muster.addCaller('ada', { roles: ['all'], admin: true });
      const bob = await muster.addCaller('bob', { roles: ['all'], admin: true });
      await save('web1');
      await save('web2');
      const { id, needs_approval } = await plan(ada);
      expect(needs_approval).toBe(true);
      await expect(apply(id, ada)).rejects.toThrow(/waits for approval/);
      await expect(apply(id, bob)).rejects.toThrow(/waits for approval/);
      await expect(muster.run(approvePlan, { plan: id }, ada)).rejects.toEqual(code('forbidden'));
      expect(shelf.calls).toEqual([]);
      expect(await muster.run(approvePlan, { plan: id }, bob)).toMatchObject({ approved_by: 'bob' });
      await expect(muster.run(approvePlan, { plan: id }, bob)).rejects.toEqual(code('conflict'));
      expect(await apply(id, ada)).toMatchObject({ status: 'done', done: 2 });
      await save('web3');
      await save('web4');
      const report = await muster.run(exportAccount, { account: 'out' }, ada);
      expect(report).toMatchObject({ status: 'failed', message: expect.stringContaining('waits for approval') });
      expect(keys('device')).toEqual(['web1', 'web2']);
      await muster.run(approvePlan, { plan: report.plan }, bob);
      expect(await apply(report.plan ?? '', bob)).toMatchObject({ status: 'done' });
      await save('web5');
      expect((await plan()).needs_approval).toBe(false);
    });

    it('are approved and applied for the system that they were made for alone', async () => {
      await set({ approval_above: '0' });
      const ada = await muster.addCaller('ada', { roles: ['all'], admin: true });
      const bob = await muster.addCaller('bob', { roles: ['all'], admin: true });
      await save('web1');
      const first = await plan(ada);
      await muster.run(approvePlan, { plan: first.id }, bob);
      await set({ token: 'another system' });
      await expect(apply(first.id, bob)).rejects.toEqual(code('conflict'));
      const second = await plan(ada);
      await set({ token: 'a third system' });
      await expect(muster.run(approvePlan, { plan: second.id }, bob)).rejects.toEqual(code('conflict'));
      expect(shelf.calls).toEqual([]);
      const third = await plan(ada);
      await muster.run(approvePlan, { plan: third.id }, bob);
      expect(await apply(third.id, ada)).toMatchObject({ status: 'done' });
    });

    it('touch nothing in a system that is not the one of which Muster remembers objects', async () => {
      shelf.marks = false;
      shelf.system = 'staging.example/api';
      for (const hostname of ['web1', 'web2', 'web3']) await save(hostname, { os: 'debian' });
      await run();
      await expectSettled();
      await save('web4');
      const stored = await plan();
      // The same ids belong to others there.
      shelf.system = 'production.example/api';
      for (const object of shelf.objects.values()) Object.assign(object, { key: `their-${object.key}` });
      shelf.calls.length = 0;
      const message = expect.stringMatching(
        /owns objects \(3\) at staging\.example\/api and leads to production\.example/,
      );
      expect(await run()).toMatchObject({ status: 'failed', message });
      await expect(plan()).rejects.toThrow(/set system=staging\.example\/api/);
      await expect(apply(stored.id)).rejects.toEqual(code('failed'));
      expect(shelf.calls).toEqual([]);
      expect(keys('device')).toEqual(['their-web1', 'their-web2', 'their-web3']);
      // Or someone says that it is the same system.
      await set({ system: 'staging.example/api' });
      expect(await run()).toMatchObject({ status: 'done', objects: { create: 1, move: 3 } });
      // A system that has most of the objects as Muster left them is the same one, behind another address.
      await set({ system: '' });
      expect(await run()).toMatchObject({ status: 'done', objects: { unchanged: 4 } });
      shelf.system = 'staging.example/api';
      const again = await plan();
      expect(again).toMatchObject({ status: 'ready' });
      await set({ delete_threshold: '100%', allow_empty: 'true' });
      for (const hostname of ['web1', 'web2', 'web3', 'web4']) await remove(hostname);
      await run();
      expect(keys('device')).toEqual([]);
      // What owns nothing may lead anywhere.
      shelf.system = 'production.example/api';
      await save('web5');
      expect(await run()).toMatchObject({ status: 'done', objects: { create: 1 } });
      await remove('web5');
      await run();
      expect(await muster.run(deleteAccount, { name: 'out' })).toMatchObject({ status: 'deleted' });
    });

    it('of an account that is gone are not applied to another of its name', async () => {
      await save('web1', { site: 'berlin' });
      const { id } = await plan();
      await muster.run(deleteAccount, { name: 'out' });
      await muster.run(addAccount, { name: 'out', type: 'shelf', settings: {} });
      await expect(apply(id)).rejects.toEqual(code('not_found'));
      expect(shelf.calls).toEqual([]);
    });

    it('of a cron group are not approved by who asked for its run', async () => {
      await set({ approval_above: '0' });
      const ada = await muster.addCaller('ada', { roles: ['all'], admin: true });
      const bob = await muster.addCaller('bob', { roles: ['all'], admin: true });
      await save('web1');
      const jobs = [{ name: 'out', command: 'Export', account: 'out' }];
      const group = { name: 'nightly', enabled: true, jobs };
      await muster.run(importRules, { rules: { cron_groups: [group] } }, bob);
      await muster.run(runCronGroup, { group_name: 'nightly' }, ada);
      const [asked] = (await muster.run(listPlans, {})).plans;
      expect(asked).toMatchObject({ made_by: 'cron', needs_approval: true });
      await expect(muster.run(approvePlan, { plan: asked?.id }, ada)).rejects.toEqual(code('forbidden'));
      expect(await muster.run(approvePlan, { plan: asked?.id }, bob)).toMatchObject({ approved_by: 'bob' });
      await muster.run(importRules, { rules: { cron_groups: [{ ...group, name: 'other', interval: '10min' }] } }, bob);
      await save('web2');
      await muster.app.services.cron.runDue();
      const [scheduled] = (await muster.run(listPlans, {})).plans;
      expect(scheduled?.id).not.toBe(asked?.id);
      await expect(muster.run(approvePlan, { plan: scheduled?.id }, bob)).rejects.toEqual(code('forbidden'));
      expect(await muster.run(approvePlan, { plan: scheduled?.id }, ada)).toMatchObject({ approved_by: 'ada' });
    });

    it('need a second administrator for another threshold of approval', async () => {
      await set({ approval_above: '0' });
      const ada = await muster.addCaller('ada', { roles: ['all'], admin: true });
      const bob = await muster.addCaller('bob', { roles: ['all'], admin: true });
      await save('web1');
      await muster.run(setAccount, { name: 'out', settings: { approval_above: '' } }, ada);
      await expect(plan(ada)).rejects.toThrow(/waits for an administrator/);
      const confirmed = { rule_type: 'accounts', rule: 'out' };
      await expect(muster.run(confirmRule, confirmed, ada)).rejects.toEqual(code('forbidden'));
      await muster.run(confirmRule, confirmed, bob);
      expect(await plan(ada)).toMatchObject({ needs_approval: false });
    });

    it('refuse by name what has changed since, and do the rest', async () => {
      for (const hostname of ['a', 'b', 'c', 'd', 'e']) await save(hostname, { os: 'debian' });
      await run();
      for (const hostname of ['a', 'b', 'c', 'd']) await save(hostname, { os: 'rocky' });
      await save('f', { os: 'rocky' });
      await save('g', { os: 'rocky' });
      const { id } = await plan();
      find('device', 'a').fields.os = 'by hand';
      shelf.objects.delete(find('device', 'b').id);
      put('device', 'f', { os: 'foreign' });
      const applied = await apply(id);
      expect(applied).toMatchObject({ status: 'partial', done: 3, failed: 3 });
      expect(applied.failures.map(({ hostname }) => hostname)).toEqual(['a', 'b', 'f']);
      const outcomes = (await show(id)).entries.map(({ key, outcome }) => [key, outcome]);
      expect(Object.fromEntries(outcomes)).toEqual({
        a: 'changed',
        b: 'gone',
        c: 'done',
        d: 'done',
        f: 'exists',
        g: 'done',
      });
      expect(find('device', 'a').fields.os).toBe('by hand');
      expect(find('device', 'f').fields).toEqual({ os: 'foreign' });
      expect((await show(id, { outcome: 'changed' })).entries.map(({ key }) => key)).toEqual(['a']);
    });

    it('delete nothing of hosts that came back since, and write nothing of those that a document replaced', async () => {
      await set({ delete_threshold: '100%' });
      for (const hostname of ['a', 'b', 'c']) await save(hostname, { os: 'debian' });
      await run();
      for (const hostname of ['a', 'b']) await remove(hostname);
      await save('c', { os: 'rocky' });
      const { id } = await plan();
      const { hosts } = opened.storage;
      const actor = { kind: 'user', name: 'olga' } as const;
      const back = { hostnames: ['a'], at: new Date(), scope: null, actor };
      expect(await hosts.restore(back)).toEqual(['restored']);
      const record = await hosts.get('c', null);
      if (record === undefined) throw new Error('c is gone');
      const labels = StoredJson.ofValue({ os: 'alma' });
      await hosts.putDocuments([{ record: { ...record, labels }, mode: 'replace', relations: [] }], actor);
      expect(await apply(id)).toMatchObject({ status: 'partial', done: 1, failed: 2 });
      const outcomes = (await show(id)).entries.map(({ key, outcome }) => [key, outcome]);
      expect(Object.fromEntries(outcomes)).toEqual({ a: 'changed', b: 'done', c: 'changed' });
      expect(keys('device')).toEqual(['a', 'c']);
    });

    it('make what several hosts need though one of them was changed since', async () => {
      for (const hostname of ['a', 'b', 'c']) await save(hostname, { site: 'berlin', maker: 'acme' });
      const { id } = await plan();
      await save('a', { site: 'paris', maker: 'other' });
      expect(await apply(id)).toMatchObject({ status: 'partial', done: 4, failed: 1 });
      expect([keys('site'), keys('maker'), keys('device')]).toEqual([['berlin'], ['acme'], ['b', 'c']]);
    });

    it('refuse what hosts want that were changed since, archived too, and do the rest', async () => {
      for (const hostname of ['a', 'b', 'c', 'd']) await save(hostname, { os: 'debian' });
      const { id } = await plan();
      await new Promise((resolve) => setTimeout(resolve, 5));
      await save('a', { os: 'rocky' });
      await remove('b');
      await save('c', { os: 'debian' });
      expect(await apply(id)).toMatchObject({ status: 'partial', failed: 2 });
      const outcomes = (await show(id)).entries.filter(({ kind }) => kind === 'device');
      expect(Object.fromEntries(outcomes.map(({ key, outcome }) => [key, outcome]))).toEqual({
        ...{ a: 'changed', b: 'changed', c: 'done', d: 'done' },
      });
      await run();
      expect(find('device', 'a').fields.os).toBe('rocky');
    });

    it('try changes singly where a call was refused as a whole, and go on after a refused one', async () => {
      shelf.before = (changes) => {
        if (changes.length > 1) return changes.map(() => ({ done: false, code: 'not_tried', reason: 'one is wrong' }));
        if (changes[0]?.key === 'web2') return [{ done: false, code: 'refused', reason: 'is too long' }];
        return undefined;
      };
      for (const hostname of ['web1', 'web2', 'web3']) await save(hostname, { also: `${hostname}-x` });
      await save('web9', { under: 'web2' });
      const report = await run();
      expect(report).toMatchObject({ status: 'partial', summary: { failed: 2 } });
      expect(report.failures.map(({ reason }) => reason)).toEqual([
        'device web2 was not made: is too long',
        'device web9 was not made: device web2, which it depends on, is missing',
      ]);
      expect(keys('device')).toEqual(['web1', 'web1-x', 'web2-x', 'web3', 'web3-x']);
      shelf.before = undefined;
      await run();
      await expectSettled();
    });

    it.each([true, false])('find out what a lost answer had made, with marks there: %s', async (marks) => {
      shelf.marks = marks;
      for (const hostname of ['web1', 'web2']) await save(hostname, { os: 'debian' });
      shelf.after = () => {
        throw new Error('socket hang up');
      };
      expect(await run()).toMatchObject({ status: 'partial', summary: { written: 0, failed: 2 } });
      expect(keys('device')).toEqual(['web1', 'web2']);
      shelf.after = undefined;
      await expectSettled();
      await save('web1', { os: 'rocky' });
      shelf.after = () => {
        throw new Error('socket hang up');
      };
      await run();
      shelf.after = undefined;
      await expectSettled();
    });

    it('take nothing foreign for what a lost answer had made', async () => {
      shelf.marks = false;
      await save('web1', { os: 'debian' });
      shelf.before = () => {
        throw new Error('socket hang up');
      };
      await run();
      shelf.before = undefined;
      put('device', 'web1', { os: 'foreign' });
      expect(await planned()).toEqual(['conflict device web1']);
    });

    it('end when the system does not answer any more, and go on later', async () => {
      for (let n = 0; n < 60; n++) await save(`h${n}`);
      const { id } = await plan();
      shelf.before = () => {
        throw new Error('ECONNREFUSED');
      };
      const applied = await apply(id);
      expect(applied).toMatchObject({ status: 'interrupted', done: 0, failed: 30 });
      expect(shelf.calls.length).toBe(3);
      expect(await show(id)).toMatchObject({
        message: 'the system does not answer any more; apply the plan again when it does',
      });
      put('site', 'there', {});
      shelf.hides = () => {
        throw new Error('out of reach');
      };
      await expect(apply(id)).rejects.toThrow(/out of reach/);
      expect(await show(id)).toMatchObject({ status: 'interrupted', done: 0, failed: 30 });
      shelf.hides = undefined;
      shelf.before = undefined;
      expect(await apply(id)).toMatchObject({ status: 'partial', done: 30, failed: 30 });
      await run();
      expect(keys('device').length).toBe(60);
      await expectSettled();
    });

    it('write a secret when it is another one, never show it, and keep it sealed', async () => {
      await save('web1', { os: 'a', password: 'hunter2hunter2' });
      const { id } = await plan();
      const shownPlan = await show(id);
      expect(shownPlan.entries[0]?.fields).toContainEqual({ name: 'password', after: '********' });
      const stored = await opened.storage.plans.entries({ id, filter: {}, after: 0, limit: 9 });
      expect(JSON.stringify([shownPlan, stored])).not.toContain('hunter2');
      await apply(id);
      expect(find('device', 'web1').fields.password).toBe('hunter2hunter2');
      expect(JSON.stringify(await owned())).not.toContain('hunter2');
      await expectSettled();
      await save('web1', { os: 'a', password: 'other-secret' });
      const next = await plan();
      expect((await show(next.id)).entries).toMatchObject([
        { action: 'update', fields: [{ name: 'password', after: '********' }] },
      ]);
      await apply(next.id);
      expect(find('device', 'web1').fields.password).toBe('other-secret');
      await expectSettled();
    });

    it('hide the secrets of the account in what the target says', async () => {
      await set({ token: 'very-secret-token' });
      await save('web1', { boom: 1 });
      await save('web2');
      const report = await run();
      expect(JSON.stringify(report)).not.toContain('very-secret-token');
      expect(JSON.stringify(await muster.run(listLogs, {}))).not.toContain('very-secret-token');
    });

    it('fail by name on a plugin that wants what it does not declare', async () => {
      await save('web1', { fail: 'colour' });
      await expect(plan()).rejects.toThrow(/plugin shelf: .*colour.*web1/);
      expect(await run()).toMatchObject({ status: 'failed', message: expect.stringContaining('colour') });
    });

    it('are shown by a dry run, which stores nothing', async () => {
      await save('web1', { os: 'debian' });
      const report = await muster.run(exportAccount, { account: 'out', dry_run: true });
      expect(report).toMatchObject({
        status: 'done',
        objects: { create: 1 },
        changes: [{ action: 'create', kind: 'device', key: 'web1' }],
        changes_total: 1,
      });
      expect([shelf.calls, await owned()]).toEqual([[], []]);
      expect((await muster.run(listPlans, {})).plans).toEqual([]);
    });

    it('are listed, and in the log', async () => {
      await save('web1');
      const first = await plan();
      await plan();
      await apply(first.id);
      const { plans } = await muster.run(listPlans, { account: 'out' });
      expect(plans.map(({ status }) => status)).toEqual(['ready', 'done']);
      expect((await muster.run(listPlans, { before: plans[0]?.id })).plans.map(({ id }) => id)).toEqual([first.id]);
      const logged = await muster.run(listLogs, { source: 'export:out' });
      expect(logged.entries[0]?.message).toContain('Export of out');
      await expect(muster.run(makeStoredPlan, { account: 'red' })).rejects.toEqual(code('invalid_input'));
      const answer = await muster.run(testAccount, { name: 'out' });
      expect(answer).toMatchObject({ target: { message: 'The shelf is there.', hosts: [{ hostname: 'web1' }] } });
    });

    it('are discarded by an administrator, and not applied any more', async () => {
      await set({ approval_above: '0' });
      const ada = await muster.addCaller('ada', { roles: ['all'], admin: true });
      await save('web1');
      const { id } = await plan(ada);
      const discarded = await muster.run(discardPlan, { plan: id }, ada);
      expect(discarded).toMatchObject({
        status: 'discarded',
        message: 'ada discarded it',
        ended_at: expect.any(String),
      });
      await expect(muster.run(discardPlan, { plan: id }, ada)).rejects.toThrow(/cannot be discarded: it is discarded/);
      await expect(apply(id, ada)).rejects.toThrow(/was discarded: ada discarded it; make another one/);
      expect(shelf.calls).toEqual([]);
      await set({ approval_above: '' });
      expect(await apply((await plan(ada)).id, ada)).toMatchObject({ status: 'done', done: 1 });
      await expect(muster.run(discardPlan, { plan: 'none' }, ada)).rejects.toEqual(code('not_found'));
    });

    const told = async () => {
      const { last_run, incomplete } = await muster.run(showAccount, { name: 'out' });
      return { last_run, incomplete };
    };

    it('that wait for approval are left by exports that wait too, and end for people when they are discarded', async () => {
      await set({ approval_above: '0' });
      await save('web1');
      const first = await run();
      expect(first).toMatchObject({ status: 'failed', waits: true, plan: expect.any(String) });
      const before = await told();
      expect(before.last_run).toMatchObject({ outcome: 'waiting', has_error: false });
      expect(before.incomplete).toMatchObject({ runs: 1, last_complete: null });
      expect(before.incomplete?.advice).toContain('Another administrator approves the plan');
      const { runs } = await muster.run(listRuns, { kind: 'export', limit: 5 });
      expect(runs).toMatchObject([
        { outcome: 'waiting', message: expect.stringMatching(/^plan .* waits for approval/) },
      ]);
      await muster.run(discardPlan, { plan: first.plan ?? '' });
      const after = await told();
      expect(after.last_run).toMatchObject({ outcome: 'discarded', has_error: false });
      expect(after.last_run?.message).toBe(
        `Export of out discarded: operator discarded plan ${first.plan}, and nothing was written`,
      );
      expect(after.incomplete).toMatchObject({ runs: 1, since: before.incomplete?.since });
      await run();
      expect((await told()).incomplete).toMatchObject({
        runs: 2,
        since: before.incomplete?.since,
        last_complete: null,
      });
    });

    it('that were refused end for people when they are discarded, and those made by themselves leave the log alone', async () => {
      await set({ create_threshold: '0' });
      await save('web1');
      const { plan: refused = '' } = await run();
      const failed = (await told()).last_run;
      expect(failed).toMatchObject({ outcome: 'failed', has_error: true });
      const { id } = await plan();
      await muster.run(discardPlan, { plan: id });
      expect((await told()).last_run).toEqual(failed);
      await muster.run(discardPlan, { plan: refused });
      expect((await told()).last_run).toMatchObject({ outcome: 'discarded', has_error: false });
    });

    it('that an export began are discarded with their rest, and nobody says that nothing was written', async () => {
      for (let n = 0; n < 60; n++) await save(`h${n}`);
      shelf.before = () => {
        throw new Error('ECONNREFUSED');
      };
      const { plan: begun = '' } = await run();
      expect((await show(begun)).status).toBe('interrupted');
      await muster.run(discardPlan, { plan: begun });
      expect((await told()).last_run).toMatchObject({
        outcome: 'discarded',
        message: `Export of out discarded: operator discarded the rest of plan ${begun}`,
      });
    });

    it('are for administrators of all accounts', async () => {
      const reader = await muster.addCaller('eve', { roles: ['objects', 'rules', 'syncer'] });
      const limited = await muster.addCaller('mallory', { roles: ['all'], accounts: ['out'] });
      await save('web1');
      const { id } = await plan();
      for (const caller of [reader, limited]) {
        for (const [operation, input] of [
          [makeStoredPlan, { account: 'out' }],
          [listPlans, {}],
          [showPlan, { plan: id }],
          [approvePlan, { plan: id }],
          [discardPlan, { plan: id }],
          [applyStoredPlan, { plan: id }],
        ] as const) {
          await expect(muster.run(operation as never, input, caller)).rejects.toEqual(
            expect.objectContaining({ code: expect.stringMatching(/role_missing|forbidden/) }),
          );
        }
      }
      expect(shelf.calls).toEqual([]);
    });

    it('are applied one at a time for an account', async () => {
      await save('web1');
      const first = await plan();
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      shelf.after = () => held;
      const applying = apply(first.id);
      await expect.poll(() => shelf.calls.length).toBe(1);
      const second = await plan();
      await expect(apply(second.id)).rejects.toEqual(code('conflict'));
      const message = expect.stringMatching(/^the export of out is running since .* UTC, started by operator; wait/);
      await expect(run()).rejects.toMatchObject({ code: 'conflict', message });
      release();
      expect(await applying).toMatchObject({ status: 'done' });
      expect(keys('device')).toEqual(['web1']);
    });

    it.each([
      ['made', false],
      ['applied', true],
    ])(
      'are free at once of a process of this machine that died while one was %s, and not of others',
      async (_, isApplied) => {
        await save('web1');
        const { id: accountId = '' } = (await muster.app.services.accounts.byName('out')) ?? {};
        const { plans } = opened.storage;
        const [machine = ''] = muster.app.services.process.name.split('/');
        const hold = async (id: string, holder: string): Promise<void> => {
          const basis = { hosts: 0, rules: '' };
          const start = { id, accountId, account: 'out', madeBy: 'ada', madeAt: new Date(), basis, holder };
          await plans.begin({ ...start, leaseMs: 600_000, isExclusive: true });
          if (!isApplied) return;
          const counts = { create: 0, update: 0, move: 0, delete: 0, adopt: 0, conflict: 0, unchanged: 0, kept: 0 };
          await plans.settle({ id, status: 'ready', counts, drift: 0, needsApproval: false, message: '' });
          await plans.claim({ id, holder, by: 'ada', at: new Date(), leaseMs: 600_000 });
        };
        const ended = spawnSync(process.execPath, ['--version']).pid;
        await hold('1'.repeat(24), `${machine}/${ended}/1/x`);
        expect(await run()).toMatchObject({ status: 'done', summary: { written: 1 } });
        await hold('2'.repeat(24), `another-machine/${ended}/1/x`);
        expect(await run()).toMatchObject({ status: 'failed', message: expect.stringContaining('being applied') });
        const { id } = await plan();
        await expect(apply(id)).rejects.toEqual(code('conflict'));
      },
    );

    it('take 2,000 objects', async () => {
      const objects = Array.from({ length: 2_000 }, (_, n) => ({ hostname: `h${n}`, labels: { os: `v${n % 7}` } }));
      await muster.run(saveHostsBulk, { account: 'red', objects });
      expect(await run()).toMatchObject({ status: 'done', summary: { written: 2_000 } });
      expect(shelf.calls.every((changes) => changes.length <= 10)).toBe(true);
      await expectSettled();
    }, 180_000);
  });
}
