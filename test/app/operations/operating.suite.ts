import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { listAccountRuns } from '../../../src/app/accounts/operations/list-account-runs.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { listAudit } from '../../../src/app/journal/operations/list-audit.ts';
import { listLogSources } from '../../../src/app/journal/operations/list-log-sources.ts';
import { listLogs } from '../../../src/app/journal/operations/list-logs.ts';
import { listPlugins } from '../../../src/app/maintenance/operations/list-plugins.ts';
import { runDoctor } from '../../../src/app/maintenance/operations/run-doctor.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { importRulesOfType } from '../../../src/app/rules/operations/import-rules-of-type.ts';
import { ruleFailures } from '../../../src/app/rules/operations/rule-failures.ts';
import { listCronJobs } from '../../../src/app/runs/cron/operations/list-jobs.ts';
import { runCronPass } from '../../../src/app/runs/cron/operations/run-pass.ts';
import { saveCronGroup } from '../../../src/app/runs/cron/operations/save-group.ts';
import { setCronRunOnceNext } from '../../../src/app/runs/cron/operations/set-run-once-next.ts';
import { showCronGroup } from '../../../src/app/runs/cron/operations/show-group.ts';
import { changeUser } from '../../../src/app/users/operations/change-user.ts';
import { makeCronToken } from '../../../src/app/webhooks/operations/make-token.ts';
import { setCronPolicy } from '../../../src/app/webhooks/operations/set-policy.ts';
import { type LogDetail, StoredJson } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { OperationsApp } from './operations-app.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

const GROUP = { name: 'nightly', enabled: true, interval_minutes: 60, hours: null, jobs: [{ command: 'Maintenance' }] };

/** What operators look at and set, whatever it is stored in. Run over every storage adapter. */
export function describeOperating(name: string, create: StorageHarness['create']): void {
  describe(`${name}: operating`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage);
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    describe('the log', () => {
      async function write(n: number, source: string, details: LogDetail[] = []): Promise<void> {
        await muster.storage.logs.append({
          id: n.toString(16).padStart(24, '0'),
          at: new Date(Date.UTC(2026, 5, 1, 0, 0, Math.floor(n / 3))),
          message: `entry ${n}`,
          source,
          details,
          hasError: details.some(({ level }) => level === 'error'),
        });
      }

      async function pages(input: object): Promise<string[][]> {
        const all: string[][] = [];
        for (let before: string | null | undefined; before !== null && all.length < 9; ) {
          const page = await muster.run(listLogs, { ...input, ...(before && { before }) });
          all.push(page.entries.map(({ message }) => message.replace('entry ', '')));
          before = page.next;
        }
        return all;
      }

      it('comes in pages back in time, each entry once', async () => {
        for (let n = 1; n <= 7; n++) await write(n, 'API');
        expect(await pages({ limit: 3 })).toEqual([['7', '6', '5'], ['4', '3', '2'], ['1']]);
        expect(await pages({ limit: 7 })).toEqual([['7', '6', '5', '4', '3', '2', '1']]);
        await expect(muster.run(listLogs, { before: 'x' })).rejects.toEqual(code('invalid_input'));
      });

      it('is searched over any number of entries, and goes on where a search stopped', async () => {
        for (let n = 1; n <= 250; n++) await write(n, n % 100 === 7 ? 'rare' : 'API');
        expect(await pages({ text: 'RARE', limit: 2 })).toEqual([['207', '107'], ['7']]);
        expect(await pages({ source: 'rare', text: 'entry' })).toEqual([['207', '107', '7']]);
      });

      it('is searched by component, errors and text', async () => {
        await write(1, 'import:web', [{ level: 'error', message: 'File is GONE' }]);
        await write(2, 'import:web');
        await write(3, 'API', [{ level: 'error', message: 'refused' }]);
        await write(4, 'cron:web', [{ level: 'info', message: 'nothing gone' }]);
        expect(await pages({ source: 'import:web' })).toEqual([['2', '1']]);
        expect(await pages({ source: 'import' })).toEqual([[]]);
        expect(await pages({ errors: true })).toEqual([['3', '1']]);
        expect(await pages({ text: 'gone' })).toEqual([['4', '1']]);
        expect(await pages({ text: 'Entry 2' })).toEqual([['2']]);
        expect(await pages({ text: 'WEB', errors: true })).toEqual([['1']]);
        expect(await pages({ errors: true, limit: 1 })).toEqual([['3'], ['1']]);
        expect(await pages({ text: '%' })).toEqual([[]]);
      });

      it('names its components, and shows who is restricted to accounts those of the accounts only', async () => {
        await muster.addAccounts('red', 'blue');
        for (const [n, source] of ['import:red', 'import:blue', 'API', 'import:red'].entries()) await write(n, source);
        const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['red'] });
        const everybody = await muster.addCaller('everybody', { roles: ['syncer'] });
        const names = async (caller: typeof scoped) =>
          (await muster.run(listLogSources, {}, caller)).sources.map(({ source }) => source);
        expect(await names(scoped)).toEqual(['import:red']);
        expect(await names(everybody)).toEqual(['API', 'import:blue', 'import:red']);
        const seen = async (input: object) =>
          (await muster.run(listLogs, input, scoped)).entries.map(({ message }) => message);
        expect(await seen({})).toEqual(['entry 3', 'entry 0']);
        expect(await seen({ source: 'import:blue' })).toEqual([]);
        expect(await seen({ text: 'entry' })).toEqual(['entry 3', 'entry 0']);
      });

      it('tells how the last run of every account went that has any', async () => {
        await muster.addAccounts('hands');
        for (const account of ['red', 'blue']) {
          await muster.run(addAccount, { name: account, type: 'csv', settings: { path: 'x.csv' } });
        }
        await write(1, 'import:red', [{ level: 'error', message: 'no file' }]);
        expect(await muster.run(listAccountRuns, {})).toEqual({
          runs: [
            {
              name: 'blue',
              type: 'csv',
              enabled: true,
              kind: 'source',
              last_run: null,
              undone: null,
              incomplete: null,
            },
            {
              name: 'red',
              type: 'csv',
              enabled: true,
              kind: 'source',
              last_run: {
                kind: 'import',
                time: expect.any(String),
                message: 'entry 1',
                has_error: true,
                outcome: 'failed',
              },
              undone: null,
              incomplete: null,
            },
          ],
        });
      });
    });

    it('acknowledges a write when its audit entry is in the store', async () => {
      for (const name of ['a', 'b', 'c']) {
        await muster.run(addAccount, { name, type: 'api' });
        const [entry] = await muster.storage.audit.latest({ limit: 1 });
        expect(entry).toMatchObject({ operation: 'accounts/add-account', subject: name, outcome: 'done' });
      }
    });

    it('pages through the audit log, and finds refusals and texts in it', async () => {
      await muster.addAccounts('red', 'blue');
      const reader = await muster.addCaller('reader', { roles: ['all'], read_only: true });
      const saving = muster.run(saveHost, { hostname: 'a', account: 'red', labels: {} }, reader);
      await expect(saving).rejects.toEqual(code('read_only'));
      const found = async (input: object) => {
        const { entries, next } = await muster.run(listAudit, input);
        return { names: entries.map((entry) => `${entry.operation} ${entry.subject}`), next };
      };
      const all = await found({});
      expect(all.next).toBeNull();
      expect(all.names.length).toBeGreaterThan(3);
      const first = await found({ limit: 2 });
      const second = await found({ limit: 100, before: first.next });
      expect([...first.names, ...second.names]).toEqual(all.names);
      expect((await found({ refused: true })).names).toEqual(['hosts/save-host ']);
      expect((await found({ text: 'BLUE' })).names).toEqual(['accounts/add-account blue']);
    });

    it('says in the audit log what changed, and finds it by that', async () => {
      await muster.addCaller('kim', { roles: ['objects'] });
      await muster.run(changeUser, { name: 'kim', roles: ['all'], admin: true });
      const { entries } = await muster.run(listAudit, { text: 'ADMINISTRATOR: no' });
      expect(entries).toEqual([
        expect.objectContaining({
          operation: 'users/changed',
          subject: 'kim',
          details: 'roles: objects → all; administrator: no → yes',
        }),
      ]);
    });

    describe('cron groups', () => {
      const document = async (of: string) =>
        (await muster.storage.rules.findByName('cron_groups', of))?.document.value ?? {};

      it('lists the jobs that can be chosen', async () => {
        const { jobs } = await muster.run(listCronJobs, {});
        expect(jobs).toContainEqual({ command: 'Import', description: expect.any(String), needs_account: true });
        expect(jobs).toContainEqual({ command: 'Maintenance', description: expect.any(String), needs_account: false });
      });

      it('are made, shown, changed and renamed', async () => {
        expect(await muster.run(saveCronGroup, { settings: GROUP })).toEqual({ status: 'saved', name: 'nightly' });
        await expect(muster.run(saveCronGroup, { settings: GROUP })).rejects.toEqual(code('conflict'));
        const { settings } = await muster.run(showCronGroup, { group_name: 'nightly' });
        expect(settings).toMatchObject({ ...GROUP, jobs: [{ name: '', command: 'Maintenance', account: null }] });
        const changed = { ...settings, name: 'weekly', interval_minutes: 10_080, hours: { from: 22, to: 6 } };
        await muster.run(saveCronGroup, { group_name: 'nightly', settings: changed });
        const shown = await muster.run(showCronGroup, { group_name: 'weekly' });
        expect(shown).toMatchObject({ settings: changed, has_token: false, policy: null, unknown_jobs: [] });
        expect(shown.status).toMatchObject({ interval_minutes: 10_080, hours: { from: 22, to: 6 }, last_end: null });
        await expect(muster.run(showCronGroup, { group_name: 'nightly' })).rejects.toEqual(code('not_found'));
        await muster.run(setCronRunOnceNext, { job_name: 'weekly', run_once_next: true });
        await muster.run(runCronPass, {});
        expect((await muster.run(showCronGroup, { group_name: 'weekly' })).status.last_end).toMatch(/^\d{4}-/);
      });

      it('are refused with the place of what is wrong, and where another group has the name', async () => {
        await muster.run(saveCronGroup, { settings: GROUP });
        await muster.run(saveCronGroup, { settings: { ...GROUP, name: 'other' } });
        const save = (settings: object) => muster.run(saveCronGroup, { group_name: 'other', settings });
        await expect(save({ ...GROUP, jobs: [{ command: ' ' }] })).rejects.toMatchObject({
          code: 'invalid_input',
          details: [{ path: 'settings.jobs.0.command' }],
        });
        await expect(save(GROUP)).rejects.toMatchObject({ code: 'invalid_input', details: [{ path: 'name' }] });
        expect((await document('other')).name).toBe('other');
      });

      it('are refused where a job of an enabled group lacks the account that it needs', async () => {
        await muster.addAccounts('red');
        const jobs = [{ command: 'Maintenance' }, { command: 'import' }];
        const settings = { ...GROUP, jobs };
        await expect(muster.run(saveCronGroup, { settings })).rejects.toMatchObject({
          code: 'invalid_input',
          details: [{ path: 'settings.jobs.1.account' }],
        });
        await muster.run(saveCronGroup, { settings: { ...settings, enabled: false } });
        const change = { group_name: 'nightly', settings };
        await expect(muster.run(saveCronGroup, change)).rejects.toEqual(code('invalid_input'));
        const named = [{ command: 'Maintenance' }, { command: 'import', account: 'red' }];
        await muster.run(saveCronGroup, { ...change, settings: { ...settings, jobs: named } });
        expect(await document('nightly')).toMatchObject({ enabled: true, jobs: named });
      });

      it('keep what nobody set: unknown members, spellings, token, policy and requests', async () => {
        const jobs = [
          { name: 'a', command: 'maintenance', mark: 1 },
          { name: 'b', command: 'Import', account: { $oid: '0'.repeat(24) }, mark: 2 },
          { name: 'c', command: 'Import', account: 'red', mark: 3 },
        ] as const;
        const hours = { timerange_from: 24, timerange_to: 0 };
        const rules = { name: 'nightly', enabled: true, note: { kept: [1] }, interval: 'daily', ...hours, jobs };
        await muster.run(importRulesOfType, { rule_type: 'cron_groups', rules });
        const before = await document('nightly');
        const { settings } = await muster.run(showCronGroup, { group_name: 'nightly' });
        await muster.run(saveCronGroup, { group_name: 'nightly', settings });
        expect(await document('nightly')).toEqual(before);

        await muster.run(makeCronToken, { group_name: 'nightly' });
        await muster.run(setCronPolicy, { group_name: 'nightly', generate: true });
        await muster.run(setCronRunOnceNext, { job_name: 'nightly', run_once_next: true });
        const [a, b, c] = settings.jobs;
        await muster.run(saveCronGroup, {
          group_name: 'nightly',
          settings: { ...settings, jobs: [{ ...c, account: 'blue' }, a, { command: 'Autorules' }, b] },
        });
        const after = await document('nightly');
        expect(after).toMatchObject({
          note: { kept: [1] },
          interval: 'daily',
          run_once_next: true,
          webhook_token_hash: expect.any(String),
          webhook_policy: expect.any(Object),
        });
        expect(after.jobs).toEqual([
          { name: 'c', command: 'Import', account: 'blue', mark: 3 },
          jobs[0],
          { name: '', command: 'Autorules' },
          jobs[1],
        ]);
        const shown = await muster.run(showCronGroup, { group_name: 'nightly' });
        expect(shown).toMatchObject({ has_token: true, policy: { window_seconds: 300, allow_ips: [] } });
        expect(JSON.stringify(shown)).not.toContain(String(after.webhook_token_hash));
      });

      it('are changed by nobody who is restricted to accounts, and shown as far as the scope goes', async () => {
        await muster.addAccounts('red', 'blue');
        const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['red'] });
        const ofAccount = (account: string) => ({ ...GROUP, name: account, jobs: [{ command: 'Import', account }] });
        for (const account of ['red', 'blue']) await muster.run(saveCronGroup, { settings: ofAccount(account) });
        expect(await muster.run(showCronGroup, { group_name: 'red' }, scoped)).toMatchObject({ unknown_jobs: [] });
        await expect(muster.run(showCronGroup, { group_name: 'blue' }, scoped)).rejects.toEqual(code('not_found'));
        const change = { group_name: 'red', settings: { ...ofAccount('red'), enabled: false } };
        await expect(muster.run(saveCronGroup, change, scoped)).rejects.toEqual(code('forbidden'));
        const syncer = await muster.addCaller('syncer', { roles: ['syncer'] });
        await expect(muster.run(saveCronGroup, change, syncer)).rejects.toEqual(code('role_missing'));
      });
    });

    it('counts what goes wrong in the rules of all projects: a rule of none once, and this time only', async () => {
      await muster.addAccounts('red');
      await muster.run(saveHost, { hostname: 'a', account: 'red', labels: {} });
      const rule = { enabled: true, condition_typ: 'anyway' };
      const broken = [{ attribute_name: 'x', attribute_value: '{{ nothing }}' }];
      await muster.run(importRules, {
        rules: {
          automation_projects: [{ name: 'web', enabled: true }],
          custom_attributes: [{ ...rule, name: 'everywhere', outcomes: broken }],
          automation_customvars: [{ ...rule, name: 'of web', project: 'web', outcomes: broken }],
        },
      });
      const failures = async (input: object) =>
        (await muster.run(ruleFailures, input)).failures.map((failure) => [failure.name, failure.errors]);
      const all = [
        ['everywhere', 1],
        ['of web', 1],
      ];
      expect(await failures({ every_project: true })).toEqual(all);
      expect(await failures({ every_project: true })).toEqual(all);
      expect(await failures({})).toEqual([['everywhere', 1]]);
    });

    it('has a doctor that names what was stored beyond the limits of today', async () => {
      const limits = async () => {
        const { ok, findings } = await muster.run(runDoctor, {});
        expect(ok).toBe(true);
        return findings.filter(({ check }) => check === 'limits');
      };
      await muster.addAccounts('crm');
      await muster.run(saveHost, { hostname: 'small', account: 'crm', labels: { note: 'x' } });
      await muster.run(saveHost, { hostname: 'big', account: 'crm', labels: { note: 'é'.repeat(1_000) } });
      const outcome = { attribute_name: 'a', attribute_value: '1' };
      const rule = { enabled: false, sort_field: 1, condition_typ: 'all', conditions: [], outcomes: [outcome] };
      const hostname = '(a|b|c){1,900}'.repeat(8);
      const condition = { match_type: 'host', hostname, hostname_match: 'regex', hostname_match_negate: false };
      const list_source = Array.from({ length: 600 }, (_, index) => `c${index}`).join(';');
      const documents = [
        { ...rule, name: 'patterns', conditions: Array.from({ length: 20 }, () => condition) },
        { ...rule, name: 'columns', source_type: 'list', list_source: `hostname;${list_source}` },
        { ...rule, name: 'usual', conditions: [{ ...condition, hostname: 'web.*' }] },
      ];
      await muster.storage.rules.write({
        entries: documents.map((document, index) => ({
          type: 'automation_customvars',
          id: String(index + 1).repeat(24),
          name: document.name,
          uniqueName: true,
          document: StoredJson.ofValue({ _id: { $oid: String(index + 1).repeat(24) }, ...document }),
          confirmedBy: 'operator',
        })),
        mode: 'skip',
        at: new Date(),
        actor: { kind: 'system', name: 'test' },
      });
      const [found] = await limits();
      expect(found).toMatchObject({ warning: true, commands: ['muster storage check'] });
      expect(found?.message).toContain('automation_customvars columns, automation_customvars patterns;');
      const { config } = muster.app.services as { config: { MAX_HOST_BYTES: number } };
      config.MAX_HOST_BYTES = 1_024;
      expect((await limits())[0]?.message).toContain('today: host big, automation_customvars columns');
    });

    it('says what plugins are for', async () => {
      const { plugins } = await muster.run(listPlugins, {});
      const csv = plugins.find(({ id }) => id === 'csv');
      expect(csv).toMatchObject({ version: '', description: expect.stringMatching(/./) });
    });
  });
}
