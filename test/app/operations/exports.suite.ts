import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { setAccount } from '../../../src/app/accounts/operations/set-account.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { deleteHost } from '../../../src/app/hosts/operations/delete-host.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { getServiceLog } from '../../../src/app/journal/operations/get-service-log.ts';
import { listAudit } from '../../../src/app/journal/operations/list-audit.ts';
import { listLogs } from '../../../src/app/journal/operations/list-logs.ts';
import { testAccount } from '../../../src/app/preview/operations/test-account.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { runCronPass } from '../../../src/app/runs/cron/operations/run-pass.ts';
import { importAccount } from '../../../src/app/runs/import/operations/import-account.ts';
import type { Logger } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { handed } from '../export/fixtures/moody.mjs';
import { OperationsApp } from './operations-app.ts';

const MOODY = fileURLToPath(new URL('../export/fixtures/moody.mjs', import.meta.url));
const code = (expected: string) => expect.objectContaining({ code: expected });

function outcome(type: string, name: string, outcomes: readonly object[], more: object = {}) {
  return { [type]: [{ name, enabled: true, condition_typ: 'anyway', conditions: [], outcomes, ...more }] };
}

/** Exports, whatever the hosts are stored in. Run over every storage adapter. */
export function describeExports(name: string, create: StorageHarness['create']): void {
  describe(`${name}: exports`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    let folder: string;
    let path: string;
    beforeEach(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage, { PLUGINS: [MOODY], PLUGIN_TIMEOUT_SECONDS: 5 });
      folder = await mkdtemp(join(tmpdir(), 'muster-exports-'));
      path = join(folder, 'hosts.jsonl');
      handed.length = 0;
      await muster.addAccounts('red', 'blue');
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
      await rm(folder, { recursive: true });
    });

    function save(hostname: string, labels: object = {}, account = 'red') {
      return muster.run(saveHost, { hostname, account, labels });
    }

    async function addFile(settings: object = {}): Promise<void> {
      await muster.run(addAccount, { name: 'out', type: 'json_file', settings: { path, ...settings } });
    }

    async function addMoody(settings: object = {}, password?: string): Promise<void> {
      await muster.run(addAccount, { name: 'moody', type: 'moody', settings, password });
    }

    async function written(): Promise<{ hostname: string; variables: Record<string, unknown>; groups: string[] }[]> {
      const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line));
    }

    const namesWritten = async () => (await written()).map(({ hostname }) => hostname);

    it('are tried out: what a file would hold, and how many of its lines would change', async () => {
      await save('web1', { os: 'debian' });
      await addFile();
      const dry = await muster.run(exportAccount, { account: 'out', dry_run: true });
      expect(dry).toMatchObject({ status: 'done', summary: { seen: 1, written: 1 }, documents_total: 1 });
      expect(dry.documents).toMatchObject([{ name: path, change: 'created' }]);
      expect(dry.documents?.[0]?.beginning).toContain('"hostname":"web1"');
      await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
      const settings = { shape: 'csv', path: join(folder, 'hosts.csv'), fields: 'HOSTNAME,os' };
      await muster.run(addAccount, { name: 'table', type: 'files', settings });
      await muster.run(exportAccount, { account: 'table' });
      await save('web1', { os: 'rocky' });
      await save('web2', { os: 'debian' });
      expect((await muster.run(exportAccount, { account: 'table', dry_run: true })).documents).toMatchObject([
        {
          change: 'changed',
          lines: { added: 2, removed: 1, kept: 1 },
          beginning: 'HOSTNAME,os\nweb1,rocky\nweb2,debian\n',
        },
      ]);
    });

    it('write every active host, by hostname, with what the rules make of it', async () => {
      await save('web2', { os: 'debian', 'app.kubernetes.io/name': 'x', tpl: '{{ 1 }}' });
      await save('gone');
      await muster.run(deleteHost, { hostname: 'gone' });
      await save('\u{1f5a5}');
      await save('\uffff', {}, 'blue');
      await save('web10');
      await muster.run(addAccount, { name: 'nets', type: 'api', object: true });
      await save('net-1', {}, 'nets');
      await muster.run(importRules, {
        rules: {
          ...outcome('custom_attributes', 'site', [{ attribute_name: 'site', attribute_value: 'berlin' }]),
          ...outcome('automation_customvars', 'groups', [
            { attribute_name: 'ansible_groups', attribute_value: 'site_{{ site }}' },
          ]),
        },
      });
      await addFile();
      const report = await muster.run(exportAccount, { account: 'out' });
      expect(report).toMatchObject({
        account: 'out',
        status: 'done',
        cancelled: false,
        summary: { seen: 4, written: 4, unchanged: 0, failed: 0 },
        failures: [],
        failures_total: 0,
      });
      expect(await namesWritten()).toEqual(['web10', 'web2', '\uffff', '\u{1f5a5}']);
      expect((await written())[1]).toEqual({
        hostname: 'web2',
        variables: {
          SOURCE_ACCOUNT: 'red',
          os: 'debian',
          'app.kubernetes.io/name': 'x',
          tpl: '{{ 1 }}',
          site: 'berlin',
          HOSTNAME: 'web2',
          ansible_groups: 'site_berlin',
        },
        groups: ['site_berlin'],
      });
      expect((await muster.run(exportAccount, { account: 'out' })).summary).toMatchObject({ written: 0, unchanged: 4 });
    });

    it('take the rules of the project that the account names, and no host that they filter out', async () => {
      await save('web1', { os: 'debian', secret: 'x' });
      await save('web2', { os: 'rocky' });
      await muster.run(importRules, {
        rules: {
          automation_projects: [
            { name: 'webs', enabled: true },
            { name: 'asleep', enabled: false },
          ],
          automation_filter: [
            {
              name: 'no rocky',
              enabled: true,
              project: 'webs',
              condition_typ: 'all',
              conditions: [{ match_type: 'tag', tag: 'os', tag_match: 'equal', value: 'rocky', value_match: 'equal' }],
              outcomes: [{ action: 'ignore_hosts', attribute_name: '' }],
            },
            {
              name: 'os only',
              enabled: true,
              project: 'webs',
              condition_typ: 'anyway',
              outcomes: [{ action: 'whitelist_attribute', attribute_name: 'os' }],
            },
          ],
        },
      });
      await addFile({ project: 'webs' });
      expect(await muster.run(exportAccount, { account: 'out' })).toMatchObject({
        status: 'done',
        summary: { seen: 1 },
      });
      expect(await written()).toEqual([{ hostname: 'web1', variables: { os: 'debian' }, groups: [] }]);
      const before = await readFile(path, 'utf8');
      for (const [project, message] of [
        ['nowhere', /no project nowhere.*projects: asleep, webs/],
        ['asleep', /asleep.*is disabled/],
      ] as const) {
        await muster.run(setAccount, { name: 'out', settings: { project } });
        const report = await muster.run(exportAccount, { account: 'out' });
        expect(report.status).toBe('failed');
        expect(report.message).toMatch(message);
        expect((await muster.run(getServiceLog, { service_name: 'out' })).result).toMatchObject({
          source: 'export:out',
          has_error: true,
        });
      }
      expect(await readFile(path, 'utf8')).toBe(before);
      for (const project of ['Default', '']) {
        await muster.run(setAccount, { name: 'out', settings: { project } });
        expect((await muster.run(exportAccount, { account: 'out' })).summary.seen).toBe(2);
      }
    });

    it('hand over many hosts, and take away those that are gone', async () => {
      const objects = Array.from({ length: 700 }, (_, index) => ({ hostname: `h${index}`, labels: { n: index } }));
      await muster.run(saveHostsBulk, { account: 'red', objects });
      await addFile();
      const states: { done: number; total?: number }[] = [];
      await muster.app.executor.value(
        exportAccount,
        { kind: 'value', value: { account: 'out' } },
        { ...(await muster.addCaller('boss', { roles: ['all'], admin: true })) },
        { progress: (state) => states.push(state) },
      );
      expect(await namesWritten()).toEqual(objects.map(({ hostname }) => hostname).sort());
      expect(states.at(-1)).toMatchObject({ done: 700, total: 700, unit: 'hosts' });
      await muster.run(deleteHost, { hostname: 'h7' });
      expect((await muster.run(exportAccount, { account: 'out' })).summary.seen).toBe(699);
      expect(await namesWritten()).not.toContain('h7');
    });

    it('write nothing and log nothing in a dry run', async () => {
      await save('web1');
      await addFile();
      expect(await muster.run(exportAccount, { account: 'out', dry_run: true })).toMatchObject({
        status: 'done',
        summary: { seen: 1, written: 1 },
      });
      await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
      await expect(muster.run(getServiceLog, { service_name: 'out' })).rejects.toEqual(code('not_found'));
    });

    it('are for administrators, who are not restricted to accounts', async () => {
      await save('web1');
      await save('web2', {}, 'blue');
      await addFile();
      const user = await muster.addCaller('user', { roles: ['all'] });
      const reader = await muster.addCaller('reader', { roles: ['all'], admin: true, read_only: true });
      await expect(muster.run(exportAccount, { account: 'out' }, user)).rejects.toEqual(code('role_missing'));
      await expect(muster.run(exportAccount, { account: 'out' }, reader)).rejects.toEqual(code('read_only'));
      // The hosts of others would be handed over, or taken away from the target.
      const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['red', 'out'] });
      for (const dry_run of [true, false]) {
        await expect(muster.run(exportAccount, { account: 'out', dry_run }, scoped)).rejects.toEqual(
          code('role_missing'),
        );
      }
      await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
      expect((await muster.run(exportAccount, { account: 'out' })).summary.seen).toBe(2);
      expect(await namesWritten()).toEqual(['web1', 'web2']);
      const { entries } = await muster.run(listAudit, {});
      expect(entries.filter(({ operation }) => operation === 'exports/export-account')).toEqual(
        expect.arrayContaining([expect.objectContaining({ actor: 'scoped', outcome: 'role_missing' })]),
      );
      // The log tells how many hosts there are and names those that failed, of whatever account.
      for (const [caller, sees] of [
        [user, true],
        [scoped, false],
      ] as const) {
        const { entries } = await muster.run(listLogs, {}, caller);
        expect(entries.some(({ source }) => source === 'export:out')).toBe(sees);
      }
    });

    it('are refused for accounts that are no targets, unknown or disabled', async () => {
      await muster.run(addAccount, { name: 'files', type: 'csv', settings: { path: 'x.csv' } });
      await addFile();
      const refusal = (account: string) => muster.run(exportAccount, { account });
      await expect(refusal('files')).rejects.toThrow(/is of type csv: hosts are imported from it; run "muster import/);
      await expect(refusal('red')).rejects.toThrow(/is of type api/);
      await expect(refusal('nobody')).rejects.toEqual(code('not_found'));
      await expect(muster.run(importAccount, { account: 'out' })).rejects.toThrow(
        /account out is of type json_file: hosts are exported to it; run "muster export out"/,
      );
      await muster.run(setAccount, { name: 'out', enabled: false });
      await expect(refusal('out')).rejects.toThrow(/account out is disabled/);
      expect((await muster.run(listLogs, {})).entries).toEqual([]);
    });

    it('fail by name when the plugin of the type is gone', async () => {
      await save('web1');
      const document = { name: 'old', type: 'retired', enabled: true };
      await muster.run(importRules, { rules: { accounts: [document] } });
      expect(await muster.run(exportAccount, { account: 'old' })).toMatchObject({
        status: 'failed',
        message: expect.stringMatching(/old is of type retired, which no plugin provides.*json_file/),
      });
      expect((await muster.run(getServiceLog, { service_name: 'export:old' })).result.has_error).toBe(true);
    });

    it('go on after a host that the target refuses', async () => {
      for (const hostname of ['db1', 'web1', 'web2', 'zoo']) await save(hostname);
      await addMoody({ mood: 'refuses-web', token: 'hunter2hunter2' });
      const report = await muster.run(exportAccount, { account: 'moody' });
      expect(report).toMatchObject({
        status: 'partial',
        summary: { seen: 4, written: 2, failed: 2 },
        failures: [
          { hostname: 'web1', reason: 'no room, ********' },
          { hostname: 'web2', reason: 'no room, ********' },
        ],
        failures_total: 2,
      });
      expect(handed.map(({ hostname }) => hostname)).toEqual(['db1', 'web1', 'web2', 'zoo']);
      expect((await muster.run(getServiceLog, { service_name: 'moody' })).result).toMatchObject({ has_error: true });
    });

    it('name plugin and account when the target fails, and never a secret', async () => {
      await save('web1');
      const lines: unknown[] = [];
      const note = (...line: unknown[]): void => {
        lines.push(
          line.map((part) => (part instanceof Object ? { ...part, error: String(Object(part).error) } : part)),
        );
      };
      const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
      await muster.stop();
      muster = await OperationsApp.over(opened.storage, { PLUGINS: [MOODY], PLUGIN_TIMEOUT_SECONDS: 0.2 }, logger);
      await addMoody({ mood: 'throws', address: 'there', token: 'tok-en-of-it' }, 'hunter2hunter2');
      for (const mood of ['throws', 'hangs', 'mute']) {
        await muster.run(setAccount, { name: 'moody', settings: { mood } });
        const report = await muster.run(exportAccount, { account: 'moody' });
        expect(report.status, mood).toBe('failed');
        expect(report.message, mood).toMatch(/^plugin moody-targets: export to account moody /);
      }
      await muster.run(setAccount, { name: 'moody', settings: { mood: 'tells' } });
      expect((await muster.run(exportAccount, { account: 'moody' })).status).toBe('done');
      expect(handed.at(-1)?.account).toEqual({
        name: 'moody',
        address: 'there',
        username: '',
        password: 'hunter2hunter2',
      });
      expect((await muster.run(testAccount, { name: 'moody' })).target?.message).toBe('reached as  with ********');
      await muster.run(setAccount, { name: 'moody', settings: { address: 'closed' } });
      expect((await muster.run(exportAccount, { account: 'moody' })).message).toBe(
        'plugin moody-targets: account moody cannot be opened: no door for ********',
      );
      const { entries } = await muster.run(listLogs, {});
      expect(entries.filter(({ source }) => source === 'export:moody')).toHaveLength(5);
      const said = JSON.stringify([lines, entries]);
      expect(said).toContain('with ********');
      expect(said).not.toMatch(/hunter2|tok-en-of-it/);
    });

    it('are tried by a test of the account, which writes nothing', async () => {
      for (const hostname of ['a', 'b', 'c', 'd']) await save(hostname, { os: 'debian' });
      await addFile();
      expect(await muster.run(testAccount, { name: 'out' })).toMatchObject({
        type: 'json_file',
        records: [],
        target: {
          message: expect.stringMatching(/does not exist yet/),
          hosts: [{ hostname: 'a', variables: { os: 'debian' }, groups: [] }, { hostname: 'b' }, { hostname: 'c' }],
        },
      });
      await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
      await muster.run(setAccount, { name: 'out', settings: { path: join(folder, 'absent', 'x') } });
      await expect(muster.run(testAccount, { name: 'out' })).rejects.toThrow(/its folder does not exist/);
    });

    it('take options that are checked when the account is made or changed', async () => {
      const add = (settings: object) => muster.run(addAccount, { name: 'out', type: 'json_file', settings });
      await expect(add({ format: 'xml', delimiter: ';' })).rejects.toThrow(
        /options of a json_file account: .*path is required.*options of this type: path, format, project, allow_empty/,
      );
      await addFile();
      await expect(muster.run(setAccount, { name: 'out', settings: { allow_empty: 'maybe' } })).rejects.toThrow(
        /allow_empty must be true or false/,
      );
      await expect(muster.run(addAccount, { name: 'x', type: 'no-such' })).rejects.toThrow(
        /no account type no-such; known ones: ansible, api, cisco_dna, csv, files, i-doit, jdisc, jira_cloud, json, json_file, ldap, ldap-sign-in, mail, mattermost, moody/,
      );
    });

    it('are jobs of cron groups, under any name that means an export', async () => {
      await save('web1');
      await addFile();
      await addMoody({ mood: 'refuses-web' });
      const jobs = [
        { name: 'file', command: 'Export', account: 'out' },
        { name: 'moody', command: 'Somewhere: Export Hosts', account: 'moody' },
        { name: 'wrong', command: 'export', account: 'red' },
      ];
      const group = { name: 'out', enabled: true, interval: 'hour', continue_on_error: true, jobs };
      await muster.run(importRules, { rules: { cron_groups: [group] } });
      const { groups } = await muster.run(runCronPass, {});
      expect(groups[0]?.jobs).toEqual([
        { name: 'file', failed: false, message: '1 host, 1 written' },
        { name: 'moody', failed: false, message: '1 host, 1 failed' },
        { name: 'wrong', failed: true, message: expect.stringMatching(/account red is of type api/) },
      ]);
      expect(await namesWritten()).toEqual(['web1']);
    });
  });
}
