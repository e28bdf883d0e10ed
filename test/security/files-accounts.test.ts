import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { setAccount } from '../../src/app/accounts/operations/set-account.ts';
import { exportAccount } from '../../src/app/exports/operations/export-account.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import type { Caller } from '../../src/app/kernel/caller.ts';
import { testAccount } from '../../src/app/preview/operations/test-account.ts';
import { tryAccount } from '../../src/app/preview/operations/try-account.ts';
import { createRule } from '../../src/app/rules/operations/create-rule.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { saveRule } from '../../src/app/rules/operations/save-rule.ts';
import { runCronPass } from '../../src/app/runs/cron/operations/run-pass.ts';
import { importAccount } from '../../src/app/runs/import/operations/import-account.ts';
import { searchHosts } from '../../src/app/search/operations/search-hosts.ts';
import type { StorageHarness } from '../../src/testing/harness.ts';
import { FileWorld, SECRET } from './support/file-world.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

const OUTSIDE = /is outside the folders .*FILE_(SOURCE|TARGET)_DIRS.*muster rules confirm accounts/;
const OWN = /is (outside the folders|among the files of the service)|belongs to the service itself/;

function account(name: string, type: string, options: Record<string, string>, members: object = {}) {
  const custom_fields = Object.entries(options).map(([option, value]) => ({ name: option, value }));
  return { name, type, enabled: true, custom_fields, ...members };
}

/** What accounts make of files, whoever wrote them and wherever they came in. */
function describeFileAccounts(name: string, create: StorageHarness['create']): void {
  describe(`${name}: files of accounts`, () => {
    let world: FileWorld;
    beforeEach(async () => {
      world = await FileWorld.create(create);
    });
    afterEach(() => world.close());

    const run: FileWorld['muster']['run'] = (...args) => world.muster.run(...args);

    /** Every way by which an administrator of the service brings an account in. */
    function entrances(): Record<string, (document: ReturnType<typeof account>) => Promise<unknown>> {
      const { administrator } = world;
      const rule_type = 'accounts';
      return {
        'import of rules': (document) =>
          run(importRules, { rule_type, rules: [document], override: true }, administrator),
        'import of lines': (document) =>
          run(importRules, { text: `{"rule_type": "accounts"}\n${JSON.stringify(document)}\n` }, administrator),
        'tool server': (document) =>
          run(createRule, { rule_type, rule: document, override: true }, world.through('mcp')),
        page: (document) => run(saveRule, { rule_type, document }, world.through('admin')),
        'form of a page': ({ name: account_name, type, custom_fields }) => {
          const settings = Object.fromEntries(custom_fields.map((field) => [field.name, field.value]));
          return run(addAccount, { name: account_name, type, settings }, world.through('admin'));
        },
      };
    }

    /** Whatever reads from the account fails, and nothing that it says holds anything of the file. */
    async function expectRefused(account_name: string, message: RegExp, caller?: Caller): Promise<void> {
      const failures = [
        run(testAccount, { name: account_name }, caller),
        run(importAccount, { account: account_name, dry_run: true, diff: true }, caller),
        run(importAccount, { account: account_name }, caller),
      ].map((outcome) =>
        outcome.then(
          (answer) =>
            'status' in answer && answer.status === 'failed' ? answer.message : `answered ${JSON.stringify(answer)}`,
          (error: Error) => error.message,
        ),
      );
      for (const failure of await Promise.all(failures)) {
        expect(failure).toMatch(message);
        expect(failure).not.toContain('c0ffee');
      }
      expect(await world.told()).not.toContain('c0ffee');
    }

    async function hostnames(): Promise<string[]> {
      const { hosts } = await run(searchHosts, { limit: 100 });
      return hosts.map(({ hostname }) => hostname);
    }

    it('an administrator of the service does not read the files of the machine, by no entrance', async () => {
      const paths = ['elsewhere/secrets', 'data/other', 'data/imports/link', 'elsewhere/absent'];
      for (const [number, bring] of Object.values(entrances()).entries()) {
        const account_name = `evil${number}`;
        const path = world.at(paths[number] ?? 'elsewhere/secrets');
        await bring(account(account_name, 'csv', { path }));
        await expectRefused(account_name, OUTSIDE, world.administrator);
      }
      // Nor does it help when the operator runs it: what counts is who named the path.
      await expectRefused('evil0', OUTSIDE);
      expect(await hostnames()).toEqual([]);
    });

    it('no type and no plugin is a way around', async () => {
      const bring = entrances()['import of rules'];
      await bring?.(account('json', 'json', { path: world.at('elsewhere/secrets') }));
      await bring?.(account('lines', 'lines', { file: world.at('elsewhere/secrets') }));
      await bring?.(account('alias', 'csv', { path: `${world.at('data/imports')}/../../elsewhere/secrets` }));
      for (const account_name of ['json', 'lines', 'alias']) await expectRefused(account_name, OUTSIDE);
    });

    it('nobody reads what the service keeps secret, not even by a path that the operator named', async () => {
      for (const [number, path] of ['data/instance.key', 'data/imports/key'].entries()) {
        const settings = { path: world.at(path) };
        await run(addAccount, { name: `mine${number}`, type: 'csv', settings });
        await expectRefused(`mine${number}`, /belongs to the service itself/);
        await run(addAccount, { name: `theirs${number}`, type: 'json', settings }, world.administrator);
        await expectRefused(`theirs${number}`, OWN);
      }
    });

    it('errors about files that may be read quote nothing of them', async () => {
      await world.write('data/imports/key.csv', `${SECRET}\n`);
      await world.write('data/imports/words.csv', `${SECRET},${SECRET}\n`);
      await world.write('data/imports/list.json', `[{"host": "a", "token": ${SECRET}}]`);
      await world.write('data/imports/object.json', `{"${SECRET}": []}`);
      const options = { 'key.csv': 'csv', 'words.csv': 'csv', 'list.json': 'json', 'object.json': 'json', key: 'json' };
      for (const [file, type] of Object.entries(options)) {
        const settings = {
          path: world.at(`data/imports/${file}`),
          ...(file === 'object.json' ? { data_key: 'x' } : {}),
        };
        await run(addAccount, { name: file, type, settings }, world.administrator);
        await expectRefused(file, /^\S+ (has|is not valid JSON|lies|belongs)/, world.administrator);
      }
    });

    it('a job of a cron group does not read them either', async () => {
      await run(
        addAccount,
        { name: 'evil', type: 'csv', settings: { path: world.at('elsewhere/secrets') } },
        world.administrator,
      );
      const group = {
        name: 'now',
        enabled: true,
        interval: '10min',
        jobs: [{ name: 'evil', command: 'Import', account: 'evil' }],
      };
      await run(importRules, { rule_type: 'cron_groups', rules: [group] });
      const pass = JSON.stringify(await run(runCronPass, {}));
      expect(pass).toMatch(/is outside the folders/);
      expect(pass).not.toContain('c0ffee');
      expect(await hostnames()).toEqual([]);
    });

    it('an administrator of the service does not write the files of the machine', async () => {
      await run(addAccount, { name: 'lab', type: 'api' });
      await run(saveHost, { hostname: 'web01', account: 'lab', labels: {} });
      const paths = ['elsewhere/secrets', 'elsewhere/new', 'data/instance.key', 'data/other', 'data/imports/hosts.csv'];
      for (const [number, path] of paths.entries()) {
        const before = world.exists(path) ? await world.read(path) : undefined;
        const settings = { path: world.at(path) };
        const added = run(addAccount, { name: `out${number}`, type: 'json_file', settings }, world.administrator);
        await expect(added).rejects.toMatchObject({
          code: 'invalid_input',
          message: expect.stringContaining(
            `${world.at(path)} is outside of the folders that targets write into (${world.at('data/exports')})`,
          ),
          details: [{ path: 'path' }],
        });
        const rules = [account(`out${number}`, 'json_file', settings)];
        await run(importRules, { rule_type: 'accounts', rules, override: true }, world.administrator);
        for (const caller of [world.administrator, undefined]) {
          const exported = await run(exportAccount, { account: `out${number}` }, caller);
          expect(exported).toMatchObject({ status: 'failed', message: expect.stringMatching(OWN) });
          await expect(run(testAccount, { name: `out${number}` }, caller)).rejects.toThrow(OWN);
        }
        expect(world.exists(path) ? await world.read(path) : undefined).toBe(before);
      }
    });

    it('a new relative path of a target begins in the folder of exports, and no earlier one moves', async () => {
      await run(addAccount, { name: 'lab', type: 'api' });
      await run(saveHost, { hostname: 'web01', account: 'lab', labels: {} });
      const { administrator } = world;
      const pathOf = async (name: string) => {
        const document = (await world.muster.storage.rules.findByName('accounts', name))?.document.value;
        const fields = document?.custom_fields as readonly { readonly name: string; readonly value: string }[];
        return fields.find((field) => field.name === 'path')?.value;
      };
      const given = {
        'inventory/{{ HOSTNAME }}.csv': world.at('data/exports/inventory/{{ HOSTNAME }}.csv'),
        './{{ HOSTNAME }}.csv': world.at('data/exports/{{ HOSTNAME }}.csv'),
        [world.at('data/exports/all.csv')]: world.at('data/exports/all.csv'),
      };
      for (const [number, [path, placed]] of Object.entries(given).entries()) {
        const name = `csv${number}`;
        await run(addAccount, { name, type: 'files', settings: { path, shape: 'csv' } }, administrator);
        expect(await pathOf(name)).toBe(placed);
        expect(await run(exportAccount, { account: name }, administrator)).toMatchObject({ status: 'done' });
      }
      expect(await world.read('data/exports/inventory/web01.csv')).toContain('web01');

      for (const path of ['../out.csv', '/etc/{{ HOSTNAME }}.csv', 'a/../../{{ HOSTNAME }}.csv']) {
        const refusal = `${path} is outside of the folders that targets write into`;
        const settings = { path, shape: 'csv' };
        await expect(run(addAccount, { name: 'away', type: 'files', settings }, administrator)).rejects.toThrow(
          refusal,
        );
        await expect(run(setAccount, { name: 'csv0', settings: { path } }, administrator)).rejects.toThrow(refusal);
      }
      expect(await pathOf('csv0')).toContain('/inventory/');

      // What the operator named stays, also once somebody else changes other options of it.
      await run(addAccount, {
        name: 'mine',
        type: 'files',
        settings: { path: world.at('elsewhere/{{ HOSTNAME }}.csv'), shape: 'csv' },
      });
      await run(setAccount, { name: 'mine', settings: { allow_empty: 'true' } }, administrator);
      expect(await pathOf('mine')).toBe(world.at('elsewhere/{{ HOSTNAME }}.csv'));
      expect(await run(exportAccount, { account: 'mine' })).toMatchObject({ status: 'done' });
      expect(world.exists('elsewhere/web01.csv')).toBe(true);
      // Published files lie in no folder.
      const published = { path: 'hosts.csv', shape: 'csv', publish: 'true' };
      await run(addAccount, { name: 'published', type: 'files', settings: published }, administrator);
      expect(await pathOf('published')).toBe('hosts.csv');
    });

    it('an account of the operator is not retyped or moved into a way to files', async () => {
      await run(addAccount, { name: 'mine', type: 'csv', settings: { path: world.at('elsewhere/hosts.csv') } });
      const { administrator } = world;
      const document = async () => (await world.muster.storage.rules.findByName('accounts', 'mine'))?.document.value;
      const changes: (() => Promise<unknown>)[] = [
        () => run(setAccount, { name: 'mine', settings: { path: world.at('elsewhere/secrets') } }, administrator),
        async () =>
          run(
            importRules,
            { rule_type: 'accounts', rules: [{ ...(await document()), type: 'json' }], override: true },
            administrator,
          ),
        () => run(setAccount, { name: 'mine', settings: { encoding: 'latin1' } }, administrator),
        async () => {
          await run(
            addAccount,
            { name: 'other', type: 'csv', settings: { path: world.at('elsewhere/secrets') } },
            administrator,
          );
          const { custom_fields: _, ...rest } = (await document()) ?? {};
          const rules = [{ ...rest, is_child: true, parent: 'other' }];
          await run(importRules, { rule_type: 'accounts', rules, override: true }, administrator);
        },
      ];
      for (const change of changes) {
        await run(setAccount, { name: 'mine', settings: { path: world.at('elsewhere/hosts.csv'), encoding: 'utf-8' } });
        await run(importAccount, { account: 'mine' }, administrator);
        await change();
        await expectRefused('mine', OUTSIDE);
        // Put right again by the operator, with the whole document in hand.
        const rules = [account('mine', 'csv', { path: world.at('elsewhere/hosts.csv') })];
        await run(importRules, { rule_type: 'accounts', rules, override: true });
        expect(await run(testAccount, { name: 'mine' }, administrator)).toMatchObject({
          records: [{ hostname: 'elsewhere01' }],
        });
      }
    });

    it('a change of something else is not the word of the operator for a path', async () => {
      await run(
        addAccount,
        { name: 'theirs', type: 'csv', settings: { path: world.at('elsewhere/secrets') } },
        world.administrator,
      );
      await run(setAccount, { name: 'theirs', settings: { lowercase_hostname: 'true' }, enabled: true });
      await expectRefused('theirs', OUTSIDE);
    });

    it('a child of the operator takes no path from a parent of somebody else', async () => {
      const settings = { path: world.at('elsewhere/secrets') };
      await run(addAccount, { name: 'parent', type: 'csv', settings }, world.administrator);
      await run(addAccount, { name: 'child', type: 'csv', settings: { is_child: 'true', parent: 'parent' } });
      await expectRefused('child', /outside the folders .*"muster rules confirm accounts parent"/);
    });

    it('is tried before there is an account within the same folders', async () => {
      const tried = (path: string, caller?: Caller) => run(tryAccount, { type: 'csv', settings: { path } }, caller);
      await expect(tried(world.at('elsewhere/hosts.csv'), world.through('admin'))).rejects.toThrow(OUTSIDE);
      expect(await tried(world.at('data/imports/hosts.csv'), world.through('admin'))).toMatchObject({
        records: [{ hostname: 'honest01' }],
      });
      // The operator of the machine.
      expect(await tried(world.at('elsewhere/hosts.csv'))).toMatchObject({ records: [{ hostname: 'elsewhere01' }] });
      const child = { is_child: 'true', parent: 'parent' };
      const settings = { path: world.at('elsewhere/hosts.csv') };
      await run(addAccount, { name: 'parent', type: 'csv', settings }, world.administrator);
      await expect(run(tryAccount, { type: 'csv', settings: child })).rejects.toThrow(OUTSIDE);
      expect(await world.told()).not.toContain('c0ffee');
    });

    it('control: files of the folders work for administrators, by every entrance', async () => {
      let number = 0;
      for (const bring of Object.values(entrances())) {
        const account_name = `honest${++number}`;
        await bring(account(account_name, 'csv', { path: world.at('data/imports/hosts.csv') }));
        const tested = await run(testAccount, { name: account_name }, world.through('admin'));
        expect(tested).toMatchObject({ records: [{ hostname: 'honest01', labels: { site: 'berlin' } }] });
      }
      expect(await run(importAccount, { account: 'honest1' }, world.administrator)).toMatchObject({ status: 'done' });
      expect(await hostnames()).toEqual(['honest01']);
      const settings = { path: world.at('data/exports/hosts.jsonl') };
      await run(addAccount, { name: 'out', type: 'json_file', settings }, world.administrator);
      expect(await run(exportAccount, { account: 'out' }, world.administrator)).toMatchObject({ status: 'done' });
      expect(await world.read('data/exports/hosts.jsonl')).toContain('honest01');
    });

    it('control: what the operator named works anywhere, for everybody who may run it', async () => {
      await run(addAccount, { name: 'mine', type: 'csv', settings: { path: world.at('elsewhere/hosts.csv') } });
      await run(addAccount, { name: 'out', type: 'json_file', settings: { path: world.at('elsewhere/out.jsonl') } });
      for (const caller of [undefined, world.administrator, world.through('admin')]) {
        expect(await run(testAccount, { name: 'mine' }, caller)).toMatchObject({
          records: [{ hostname: 'elsewhere01' }],
        });
      }
      const jobs = [
        { name: 'in', command: 'Import', account: 'mine' },
        { name: 'out', command: 'Export', account: 'out' },
      ];
      await run(importRules, {
        rule_type: 'cron_groups',
        rules: [{ name: 'now', enabled: true, interval: '10min', jobs }],
      });
      await run(runCronPass, {});
      expect(await hostnames()).toEqual(['elsewhere01']);
      expect(await world.read('elsewhere/out.jsonl')).toContain('elsewhere01');
    });

    it('control: an administrator changes what names no files, and the operator still vouches', async () => {
      await run(addAccount, { name: 'mine', type: 'csv', settings: { path: world.at('elsewhere/hosts.csv') } });
      const { administrator } = world;
      const settings = { rewrite_hostname: '{{ HOSTNAME }}.example.org', delete_threshold_percent: '50' };
      await run(setAccount, { name: 'mine', settings, enabled: true, password: 'hunter2' }, world.through('admin'));
      const record = await world.muster.storage.rules.findByName('accounts', 'mine');
      await run(
        saveRule,
        { rule_type: 'accounts', document: { ...record?.document.value, note: 'x' }, version: record?.version },
        world.through('admin'),
      );
      expect(await run(importAccount, { account: 'mine' }, administrator)).toMatchObject({ status: 'done' });
      expect(await hostnames()).toEqual(['elsewhere01.example.org']);
    });
  });
}

for (const [store, create] of THOROUGH_STORES) describeFileAccounts(store, create);
