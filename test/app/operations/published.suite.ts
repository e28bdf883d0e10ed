import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { deleteAccount } from '../../../src/app/accounts/operations/delete-account.ts';
import { setAccount } from '../../../src/app/accounts/operations/set-account.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { listPublished } from '../../../src/app/exports/operations/list-published.ts';
import { readPublished } from '../../../src/app/exports/operations/read-published.ts';
import { showPublished } from '../../../src/app/exports/operations/show-published.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { testAccount } from '../../../src/app/preview/operations/test-account.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { OPERATOR, OperationsApp } from './operations-app.ts';

/** What exports publish. Run over every storage adapter. */
export function describePublished(name: string, create: StorageHarness['create']): void {
  describe(`${name}: published files`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage);
      await muster.addAccounts('red');
      await save('web1', 'berlin');
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    const save = (hostname: string, site: string) =>
      muster.run(saveHost, { hostname, account: 'red', labels: { site } });
    const publish = (settings: Readonly<Record<string, string>>) =>
      muster.run(addAccount, { name: 'out', type: 'files', settings: { publish: 'true', ...settings } });
    const run = (input: object = {}) => muster.run(exportAccount, { account: 'out', ...input });
    const names = async () => (await muster.run(listPublished, { account: 'out' })).files.map((file) => file.name);
    async function text(file: string, caller = OPERATOR): Promise<string> {
      const value = { kind: 'value', value: { account: 'out', file } } as const;
      const answer = await muster.app.executor.stream(readPublished, value, caller);
      let found = '';
      for await (const piece of answer.body) found += piece;
      return found;
    }

    it('are what the last export made, and nothing of a dry run or one that failed', async () => {
      await publish({ path: 'targets.json', shape: 'file_sd', port: '9100', fields: 'site' });
      await run({ dry_run: true });
      await expect(text('targets.json')).rejects.toMatchObject({ code: 'not_found' });
      expect(await run()).toMatchObject({ status: 'done' });
      const first = await text('targets.json');
      expect(JSON.parse(first)).toEqual([
        { targets: ['web1:9100'], labels: { __meta_muster_hostname: 'web1', site: 'berlin' } },
      ]);
      const [file] = (await muster.run(listPublished, { account: 'out' })).files;
      expect(file).toMatchObject({
        name: 'targets.json',
        content_type: 'application/json; charset=utf-8',
        bytes: first.length,
      });
      expect(await run()).toMatchObject({ message: expect.stringContaining('unchanged') });
      expect((await muster.run(listPublished, { account: 'out' })).files).toEqual([file]);
      await save('web2', 'paris');
      await run();
      expect(JSON.parse(await text('targets.json'))).toHaveLength(2);
      const checked = await muster.run(testAccount, { name: 'out' });
      expect(JSON.stringify(checked)).toContain('1 file published at /api/v1/published/out');
    });

    it('come and go with the hosts that make them, and notes of the account are nobody’s', async () => {
      await save('web2', 'paris');
      await publish({ path: 'by-site/{{ site }}.csv', shape: 'csv', fields: 'HOSTNAME' });
      await run();
      expect(await names()).toEqual(['by-site/berlin.csv', 'by-site/paris.csv']);
      expect(await text('by-site/paris.csv')).toBe('HOSTNAME\nweb2\n');
      await save('web2', 'rome');
      await run();
      expect(await names()).toEqual(['by-site/berlin.csv', 'by-site/rome.csv']);
      expect(await text('by-site/berlin.csv')).toBe('HOSTNAME\nweb1\n');
      await expect(text('by-site/.muster-out.manifest')).rejects.toMatchObject({ code: 'not_found' });
    });

    it('are shown to people, as far as they ask', async () => {
      await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { note: '😀'.repeat(60_000) } });
      await publish({ path: 'list.csv', shape: 'csv', fields: 'note' });
      await run();
      const whole = await text('list.csv');
      const show = (input: object = {}) => muster.run(showPublished, { account: 'out', file: 'list.csv', ...input });
      const first = await show();
      expect(first).toMatchObject({ account: 'out', name: 'list.csv', content_type: expect.stringMatching(/csv/) });
      let found = first.text;
      for (let { next_start } = first; next_start !== null; ) {
        const next = await show({ start: next_start, limit: 7_777 });
        expect(Buffer.from(next.text).toString()).toBe(next.text);
        found += next.text;
        next_start = next.next_start;
      }
      expect(found).toBe(whole);
      expect(await show({ start: whole.length })).toMatchObject({ text: '', next_start: null });
      for (const file of ['other.csv', '.muster-out.manifest']) {
        await expect(show({ file })).rejects.toMatchObject({ code: 'not_found' });
      }
      const scoped = await muster.addCaller('scoped', { roles: ['automation'], accounts: ['red', 'out'] });
      const asked = muster.run(showPublished, { account: 'out', file: 'list.csv' }, scoped);
      await expect(asked).rejects.toMatchObject({ code: 'forbidden' });
    });

    it('are those of the path that the account has now, and none when it publishes no more or is gone', async () => {
      const set = (settings: Readonly<Record<string, string>>) => muster.run(setAccount, { name: 'out', settings });
      await publish({ path: './lists/hosts.csv', shape: 'csv', fields: 'HOSTNAME' });
      await run();
      expect(await names()).toEqual(['lists/hosts.csv']);
      await set({ path: 'hosts.csv' });
      await run();
      expect(await names()).toEqual(['hosts.csv']);
      await expect(set({ path: '../hosts.csv' })).rejects.toMatchObject({ code: 'invalid_input' });
      await set({ publish: 'false', path: join(await temporaryFolder(), 'hosts.csv') });
      await run({ dry_run: true });
      expect(await names()).toEqual(['hosts.csv']);
      await run();
      expect(await names()).toEqual([]);
      await set({ publish: 'true', path: 'hosts.csv' });
      await run();
      const { id = '' } = (await muster.storage.rules.findByName('accounts', 'out')) ?? {};
      expect(await opened.storage.published.list(id)).toHaveLength(2);
      await muster.run(deleteAccount, { name: 'out' });
      expect(await opened.storage.published.list(id)).toEqual([]);
    });

    it('are for those who may read all hosts', async () => {
      await publish({ path: 'list.csv', shape: 'csv', fields: 'HOSTNAME' });
      await run();
      const reader = await muster.addCaller('reader', { roles: ['automation'], read_only: true });
      expect(await text('list.csv', reader)).toContain('web1');
      const scoped = await muster.addCaller('scoped', { roles: ['automation'], accounts: ['red', 'out'] });
      await expect(text('list.csv', scoped)).rejects.toMatchObject({ code: 'forbidden' });
      await expect(muster.run(listPublished, { account: 'out' }, scoped)).rejects.toMatchObject({ code: 'forbidden' });
      const other = await muster.addCaller('other', { roles: ['objects'] });
      await expect(text('list.csv', other)).rejects.toMatchObject({
        code: expect.stringMatching(/role|unauth|forbid/),
      });
    });
  });
}
