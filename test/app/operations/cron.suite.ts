import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { getServiceLog } from '../../../src/app/journal/operations/get-service-log.ts';
import { listLogs } from '../../../src/app/journal/operations/list-logs.ts';
import { anonymousCaller, type Caller } from '../../../src/app/kernel/caller.ts';
import type { ValueOperation } from '../../../src/app/kernel/operation.ts';
import { exportRules } from '../../../src/app/rules/operations/export-rules.ts';
import { importRulesOfType } from '../../../src/app/rules/operations/import-rules-of-type.ts';
import { listRules } from '../../../src/app/rules/operations/list-rules.ts';
import { revertRule } from '../../../src/app/rules/operations/revert-rule.ts';
import { statusOf } from '../../../src/app/runs/cron/group-status.ts';
import { listCronGroups } from '../../../src/app/runs/cron/operations/list-groups.ts';
import { pauseCronGroups } from '../../../src/app/runs/cron/operations/pause-groups.ts';
import { runCronGroup } from '../../../src/app/runs/cron/operations/run-group.ts';
import { runCronPass } from '../../../src/app/runs/cron/operations/run-pass.ts';
import { saveCronGroup } from '../../../src/app/runs/cron/operations/save-group.ts';
import { setCronRunOnceNext } from '../../../src/app/runs/cron/operations/set-run-once-next.ts';
import { showCronGroup } from '../../../src/app/runs/cron/operations/show-group.ts';
import { triggerCronGroup } from '../../../src/app/runs/cron/operations/trigger-group.ts';
import { stateOf } from '../../../src/app/runs/cron/words.ts';
import { importAccount } from '../../../src/app/runs/import/operations/import-account.ts';
import { makeCronToken } from '../../../src/app/webhooks/operations/make-token.ts';
import { setCronPolicy } from '../../../src/app/webhooks/operations/set-policy.ts';
import { triggerCronWebhook } from '../../../src/app/webhooks/operations/trigger-webhook.ts';
import { isWebhookToken } from '../../../src/app/webhooks/webhook-token.ts';
import { AppError, type RuleDocument, StoredJson } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { OperationsApp } from './operations-app.ts';

const SECRET = 'a signing secret of some length';

const code = (expected: string) => expect.objectContaining({ code: expected });

function signed(body = '', seconds = Math.floor(Date.now() / 1000), secret = SECRET) {
  const timestamp = String(seconds);
  const hex = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { timestamp, signature: `sha256=${hex}`, body: Buffer.from(body) };
}

/** The codes that calls are refused with; `done` where they are not. */
async function outcomes(attempts: readonly Promise<unknown>[]): Promise<readonly string[]> {
  const results = await Promise.allSettled(attempts);
  return results.map((result) => (result.status === 'fulfilled' ? 'done' : result.reason.code));
}

/** Cron groups and their webhooks, whatever they are stored in. Run over every storage adapter. */
export function describeCronOperations(name: string, create: StorageHarness['create']): void {
  describe(`${name}: cron groups`, () => {
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

    async function group(groupName: string, members: RuleDocument = {}): Promise<void> {
      const jobs = [{ name: 'tidy', command: 'Maintenance' }];
      const rules = { name: groupName, enabled: true, interval: 'hour', jobs, ...members };
      const answer = await muster.run(importRulesOfType, { rule_type: 'cron_groups', rules, override: true });
      expect(answer).toMatchObject({ imported: 1, invalid: 0 });
    }

    /** As the interface shows them. */
    async function statuses() {
      const { groups } = await muster.run(listCronGroups, {});
      return groups.map(statusOf);
    }

    async function document(groupName: string): Promise<RuleDocument> {
      const record = await muster.storage.rules.findByName('cron_groups', groupName);
      return record?.document.value ?? {};
    }

    const flag = async (groupName: string) => (await document(groupName)).run_once_next;

    const nobody = (refusal = new AppError('unauthenticated', 'credentials are missing')): Caller =>
      anonymousCaller({ address: '192.0.2.7', requestId: 'test', path: '/api/v1/syncer', refusal });

    const apiLog = () => muster.storage.logs.latest({ limit: 100, source: 'API' });

    async function audit(operation: ValueOperation<never, never> | { readonly name: string }) {
      await muster.app.services.audit.settled();
      return muster.storage.audit.latest({ limit: 100, operation: operation.name });
    }

    describe('a pause', () => {
      const states = async () => {
        const { groups } = await muster.run(listCronGroups, {});
        return groups.map((one) => [one.name, stateOf(one), one.last_start !== null]);
      };

      it('holds schedules and requests of all groups, and gives way to a person', async () => {
        await group('first');
        await group('second', { weekdays: ['mon'], documentation: 'kept' });
        const { paused_until, groups } = await muster.run(pauseCronGroups, { until: '+4h' });
        expect(groups).toEqual(['first', 'second']);
        expect((await muster.run(listCronGroups, {})).groups).toMatchObject([
          { paused_until, weekdays: null, next_start: paused_until },
          { paused_until, weekdays: ['mon'] },
        ]);
        expect(await document('second')).toMatchObject({
          paused_until: { $date: Date.parse(`${paused_until}Z`) },
          documentation: 'kept',
        });
        const { note } = await muster.run(triggerCronGroup, { group_name: 'second' });
        expect(note).toBe(`the group is paused; it runs on the first cron pass after ${paused_until} UTC`);
        expect(await muster.run(runCronPass, {})).toEqual({ groups: [] });
        expect(await states()).toEqual([
          ['first', 'paused', false],
          ['second', 'paused', false],
        ]);
        await expect(muster.run(runCronGroup, { group_name: 'first' })).rejects.toEqual(code('conflict'));
        const report = await muster.run(runCronGroup, { group_name: 'first', despite_pause: true });
        expect(report).toMatchObject({ name: 'first', state: 'done' });
        const { settings } = await muster.run(showCronGroup, { group_name: 'second' });
        await muster.run(saveCronGroup, { group_name: 'second', settings: { ...settings, weekdays: null } });
        expect(await document('second')).toMatchObject({ weekdays: [], run_once_next: true });
        expect(await muster.run(pauseCronGroups, { groups: ['second'], until: null })).toEqual({
          paused_until: null,
          groups: ['second'],
        });
        expect(await muster.run(runCronPass, {})).toMatchObject({ groups: [{ name: 'second', state: 'done' }] });
        expect(await states()).toEqual([
          ['first', 'paused', true],
          ['second', 'ok', true],
        ]);
      });

      it('starts at once and answers so where nobody waits for the end', async () => {
        await group('first');
        await muster.run(pauseCronGroups, { until: '2099-01-01T00:00Z' });
        const input = { group_name: 'first', despite_pause: true, waits: false };
        expect(await muster.run(runCronGroup, input)).toMatchObject({ state: 'started' });
        await vi.waitFor(async () => expect(await states()).toEqual([['first', 'paused', true]]), { timeout: 5_000 });
      });

      it('logs what ends a run that is not waited for', async () => {
        await group('first');
        const { cron, logger } = muster.app.services;
        const logged = vi.spyOn(logger, 'error');
        const known = await cron.states();
        // Another node takes the group, and then the store is away.
        vi.spyOn(cron, 'runNow').mockResolvedValue(undefined);
        vi.spyOn(cron, 'states').mockResolvedValueOnce(known).mockRejectedValue(new AppError('unavailable', 'away'));
        const input = { group_name: 'first', waits: false };
        expect(await muster.run(runCronGroup, input)).toMatchObject({ state: 'started' });
        const about = expect.objectContaining({ group: 'first' });
        await vi.waitFor(() => expect(logged).toHaveBeenCalledWith('a cron group could not be run', about));
      });

      it('keeps a pause and a request when its group is reverted, and requests nothing by that', async () => {
        await group('first');
        await muster.run(triggerCronGroup, { group_name: 'first' });
        await muster.run(runCronPass, {});
        await muster.run(pauseCronGroups, { groups: ['first'], until: '2099-01-01T00:00Z' });
        const reverted = async (version: number) => {
          await muster.run(revertRule, { rule_type: 'cron_groups', rule: 'first', version });
          const { run_once_next, paused_until } = await document('first');
          return { run_once_next, paused_until };
        };
        const paused_until = { $date: Date.parse('2099-01-01T00:00Z') };
        // The version that requested the run.
        expect(await reverted(2)).toEqual({ run_once_next: false, paused_until });
        await muster.run(triggerCronGroup, { group_name: 'first' });
        expect(await reverted(1)).toEqual({ run_once_next: true, paused_until });
      });

      it('ends in the future, and names groups that are there', async () => {
        await group('first');
        for (const until of ['-4h', '4h', 'soon', '2020-01-01', 'today'])
          await expect(muster.run(pauseCronGroups, { until })).rejects.toEqual(code('invalid_input'));
        const none = { groups: ['first', 'none'], until: '+1h' };
        await expect(muster.run(pauseCronGroups, none)).rejects.toEqual(code('not_found'));
        expect(await document('first')).not.toHaveProperty('paused_until');
      });
    });

    describe('status', () => {
      it('has six members, null for what is not known, in the order of the groups', async () => {
        await group('second', { sort_field: 2 });
        await group('first', { sort_field: 1, enabled: false });
        const never = {
          last_start: null,
          next_run: null,
          is_running: false,
          last_message: '',
          has_error: false,
        };
        expect(await statuses()).toEqual([
          { name: 'first', ...never },
          { name: 'second', ...never },
        ]);
      });

      it('tells what a pass did', async () => {
        await group('good');
        await group('bad', { jobs: [{ name: 'load', command: 'Import', account: 'nobody' }], interval: null });
        const { groups } = await muster.run(runCronPass, {});
        expect(groups.map(({ name: of, state }) => [of, state])).toEqual([
          ['bad', 'failed'],
          ['good', 'done'],
        ]);
        const result = await statuses();
        const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
        expect(result).toEqual([
          {
            name: 'bad',
            last_start: time,
            next_run: null,
            is_running: false,
            last_message: 'load: there is no account nobody',
            has_error: true,
          },
          {
            name: 'good',
            last_start: time,
            next_run: time,
            is_running: false,
            last_message: expect.stringMatching(/^tidy: 0 stale hosts archived/),
            has_error: false,
          },
        ]);
        const good = result[1];
        expect(Date.parse(`${good?.next_run}Z`) - Date.parse(`${good?.last_start}Z`)).toBe(3_600_000);
        expect(await muster.run(runCronPass, {})).toEqual({ groups: [] });
      });
    });

    describe('the flag', () => {
      it('is set and cleared, and the next pass runs the group', async () => {
        await group('nightly', { custom_interval_in_minutes: 10_000, note: { kept: [1] } });
        await muster.run(runCronPass, {});
        const set = (run_once_next: boolean) => muster.run(setCronRunOnceNext, { job_name: 'nightly', run_once_next });
        expect(await set(true)).toEqual({ status: 'saved' });
        expect(await set(true)).toEqual({ status: 'saved' });
        expect(await flag('nightly')).toBe(true);
        expect(await set(false)).toEqual({ status: 'saved' });
        expect(await muster.run(runCronPass, {})).toEqual({ groups: [] });
        await set(true);
        expect((await muster.run(runCronPass, {})).groups).toHaveLength(1);
        expect(await document('nightly')).toMatchObject({ run_once_next: false, note: { kept: [1] } });
      });

      it('is not lost when many set it and change the group at once', async () => {
        await group('busy');
        await Promise.all([
          ...Array.from({ length: 10 }, () => muster.run(triggerCronGroup, { group_name: 'busy' })),
          ...Array.from({ length: 10 }, () =>
            muster.run(triggerCronWebhook, { group_name: 'busy' }, nobody()).catch(() => undefined),
          ),
        ]);
        expect(await flag('busy')).toBe(true);
      });

      it('of an unknown group is not found', async () => {
        await group('nightly');
        for (const unknown of ['Nightly', 'nightly ', '__proto__', 'x'.repeat(5000), 'a\nb']) {
          const missing = { job_name: unknown, run_once_next: true };
          await expect(muster.run(setCronRunOnceNext, missing), unknown).rejects.toEqual(code('not_found'));
          const trigger = muster.run(triggerCronGroup, { group_name: unknown });
          await expect(trigger, unknown).rejects.toEqual(code('not_found'));
        }
      });

      it.each([
        [{}],
        [{ job_name: 'nightly' }],
        [{ run_once_next: true }],
        [{ job_name: '', run_once_next: true }],
        [{ job_name: 'nightly', run_once_next: 'true' }],
        [{ job_name: 'nightly', run_once_next: 1 }],
        [{ job_name: ['nightly'], run_once_next: true }],
        [[]],
        ['nightly'],
      ])('is not set by %j', async (input) => {
        await group('nightly');
        await expect(muster.run(setCronRunOnceNext, input)).rejects.toEqual(code('invalid_input'));
        expect(await flag('nightly')).toBeUndefined();
      });
    });

    describe('a trigger', () => {
      it('says when the group runs, also when it is disabled', async () => {
        await group('nightly');
        await group('off', { enabled: false });
        const trigger = (group_name: string) => muster.run(triggerCronGroup, { group_name });
        expect(await trigger('nightly')).toEqual({
          status: 'triggered',
          group: 'nightly',
          note: 'the group runs on the next cron pass',
        });
        expect((await trigger('off')).note).toMatch(/disabled/);
        expect(await flag('off')).toBe(true);
      });

      it('over the API is in the log, by whom and from where; by a command it is not', async () => {
        await group('nightly');
        const olga = await muster.addCaller('olga', { roles: ['syncer'] });
        await muster.run(triggerCronGroup, { group_name: 'nightly' });
        expect(await apiLog()).toEqual([]);
        await muster.run(triggerCronGroup, { group_name: 'nightly' }, { ...olga, address: '192.0.2.7' });
        await muster.run(setCronRunOnceNext, { job_name: 'nightly', run_once_next: false }, olga);
        const [second, first, ...others] = await apiLog();
        expect(others).toEqual([]);
        expect(first).toMatchObject({
          source: 'API',
          hasError: false,
          message: expect.stringMatching(/nightly.*olga/),
          details: [{ level: 'info', message: 'from 192.0.2.7' }],
        });
        expect(second?.message).toMatch(/no longer/);
      });

      it('is audited, with refusals', async () => {
        await group('nightly');
        const olga = await muster.addCaller('olga', { roles: ['syncer'] });
        const rita = await muster.addCaller('rita', { roles: ['rules'] });
        await muster.run(triggerCronGroup, { group_name: 'nightly' }, olga);
        await expect(muster.run(triggerCronGroup, { group_name: 'nightly' }, rita)).rejects.toEqual(
          code('role_missing'),
        );
        await expect(muster.run(triggerCronGroup, { group_name: 'x' }, olga)).rejects.toEqual(code('not_found'));
        expect((await audit(triggerCronGroup)).map(({ actor, subject, outcome }) => [actor, subject, outcome])).toEqual(
          [
            ['olga', 'x', 'not_found'],
            ['rita', '', 'role_missing'],
            ['olga', 'nightly', 'done'],
          ],
        );
      });

      it('is refused to who may only read', async () => {
        await group('nightly', { webhook_enabled: true });
        const reader = await muster.addCaller('reader', { roles: ['all'], read_only: true });
        const attempts = [
          muster.run(triggerCronGroup, { group_name: 'nightly' }, reader),
          muster.run(setCronRunOnceNext, { job_name: 'nightly', run_once_next: true }, reader),
          muster.run(triggerCronWebhook, { group_name: 'nightly' }, reader),
        ];
        expect(await outcomes(attempts)).toEqual(['read_only', 'read_only', 'read_only']);
        expect(await flag('nightly')).toBeUndefined();
        expect((await muster.run(listCronGroups, {}, reader)).groups).toHaveLength(1);
      });
    });

    describe('somebody who is restricted to accounts', () => {
      beforeEach(async () => {
        await muster.addAccounts('red', 'blue');
        const red = await muster.storage.rules.findByName('accounts', 'red');
        const load = (account: unknown) => ({ command: 'Import', account }) as RuleDocument;
        await group('red', { jobs: [load('red')], webhook_enabled: true });
        await group('red by id', { jobs: [load({ $oid: red?.id ?? '' })], webhook_enabled: true });
        await group('both', { jobs: [load('red'), load('blue')], webhook_enabled: true });
        await group('blue', { jobs: [load('blue')], webhook_enabled: true });
        await group('red and all', { jobs: [load('red'), { command: 'Autorules' }], webhook_enabled: true });
        await group('all in disguise', {
          jobs: [{ command: 'Syncer: Maintenence', account: 'red' }],
          webhook_enabled: true,
        });
        // An export hands over the hosts of all accounts, and a job that nobody knows may do anything.
        await group('red export', { jobs: [{ command: 'Export', account: 'red' }], webhook_enabled: true });
        await group('red unknown', { jobs: [{ command: 'Nobody Knows', account: 'red' }], webhook_enabled: true });
        await group('empty', { jobs: [], webhook_enabled: true });
      });

      const HIDDEN = ['both', 'blue', 'red and all', 'all in disguise', 'red export', 'red unknown', 'empty'];

      it('sees and triggers the groups whose jobs are all for these', async () => {
        const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['red'] });
        const { groups } = await muster.run(listCronGroups, {}, scoped);
        expect(groups.map((status) => status.name)).toEqual(['red', 'red by id']);
        await muster.run(triggerCronGroup, { group_name: 'red by id' }, scoped);
        await muster.run(triggerCronWebhook, { group_name: 'red' }, scoped);
        expect(await flag('red')).toBe(true);
        for (const group_name of HIDDEN) {
          const attempts = [
            muster.run(triggerCronGroup, { group_name }, scoped),
            muster.run(triggerCronWebhook, { group_name }, scoped),
            muster.run(setCronRunOnceNext, { job_name: group_name, run_once_next: true }, scoped),
          ];
          expect(await outcomes(attempts), group_name).toEqual(['not_found', 'not_found', 'not_found']);
          expect(await flag(group_name)).toBeUndefined();
        }
      });

      it('reads the log of these groups', async () => {
        const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['red'] });
        await muster.run(runCronPass, {});
        const { entries } = await muster.run(listLogs, {}, scoped);
        const sources = new Set(entries.map((entry) => entry.source));
        expect([...sources].sort()).toEqual(['cron:red', 'cron:red by id', 'import:red']);
        expect(await muster.run(getServiceLog, { service_name: 'cron:red' }, scoped)).toBeDefined();
        const hidden = muster.run(getServiceLog, { service_name: 'cron:blue' }, scoped);
        await expect(hidden).rejects.toEqual(code('not_found'));
      });

      it('sees no documents of other groups, and writes none, since jobs run with all rights', async () => {
        const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['red'] });
        const exported: { rules: { name: string }[] } = await muster.read(
          listRules,
          { rule_type: 'cron_groups' },
          scoped,
        );
        const names = exported.rules.map((rule) => rule.name);
        expect(names).toContain('red');
        for (const hidden of ['both', 'blue', 'empty']) expect(names).not.toContain(hidden);
        const put = (rules: unknown) =>
          muster.run(importRulesOfType, { rule_type: 'cron_groups', rules, override: true }, scoped);
        await expect(put({ name: 'mine', jobs: [{ command: 'Maintenance', account: 'red' }] })).rejects.toEqual(
          code('forbidden'),
        );
        await expect(put({ ...(await document('red')), run_once_next: true })).rejects.toEqual(code('forbidden'));
        // Not even as it stands: a replacement puts back what somebody changes meanwhile.
        await expect(put(exported.rules.filter((rule) => rule.name === 'red'))).rejects.toEqual(code('forbidden'));
      });
    });

    describe('the webhook', () => {
      const call = (input: object, caller: Caller = nobody()) =>
        muster.run(triggerCronWebhook, { group_name: 'hooked', ...input }, caller);

      it('takes the token of the group, whoever shows it, until there is a new one', async () => {
        await group('hooked', { webhook_enabled: true });
        await group('other', { webhook_enabled: true });
        const { token, ...rest } = await muster.run(makeCronToken, { group_name: 'hooked' });
        expect(rest).toEqual({ group: 'hooked', webhook_enabled: true, has_policy: false });
        const other = await muster.run(makeCronToken, { group_name: 'other' });
        expect(await call({ token })).toEqual({
          status: 'triggered',
          group: 'hooked',
          note: 'the group runs on the next cron pass',
        });
        expect(await flag('hooked')).toBe(true);
        for (const wrong of [other.token, '', `${token} `, token.toUpperCase()]) {
          await expect(call({ token: wrong })).rejects.toEqual(code('unauthenticated'));
        }
        await muster.run(makeCronToken, { group_name: 'hooked' });
        await expect(call({ token })).rejects.toEqual(code('unauthenticated'));
      });

      it('keeps the token nowhere', async () => {
        await group('hooked', { webhook_enabled: true });
        const { token } = await muster.run(makeCronToken, { group_name: 'hooked' });
        await call({ token });
        await expect(call({ token: `${token}x` })).rejects.toEqual(code('unauthenticated'));
        const flags = { include_hosts: true, include_accounts: true, include_users: true, include_passwords: true };
        const everything = JSON.stringify([
          await muster.read(exportRules, flags),
          await muster.storage.logs.latest({ limit: 100 }),
          await audit(triggerCronWebhook),
        ]);
        expect(everything).not.toContain(token);
        const { webhook_token_hash: hash } = await document('hooked');
        expect(isWebhookToken(token, String(hash))).toBe(true);
      });

      it('is told apart from a user in the history', async () => {
        await group('hooked', { webhook_enabled: true });
        const { token } = await muster.run(makeCronToken, { group_name: 'hooked' });
        await call({ token });
        const record = await muster.storage.rules.findByName('cron_groups', 'hooked');
        const [version] = await muster.storage.rules.versions('cron_groups', record?.id ?? '', 1);
        expect(version?.actor).toBe('webhook');
      });

      it('without token and signature asks for a user of the role', async () => {
        await group('hooked', { webhook_enabled: true });
        await expect(call({})).rejects.toEqual(code('unauthenticated'));
        const rita = await muster.addCaller('rita', { roles: ['rules'] });
        await expect(call({}, rita)).rejects.toEqual(code('role_missing'));
        const olga = await muster.addCaller('olga', { roles: ['syncer'] });
        expect(await call({}, olga)).toMatchObject({ status: 'triggered' });
      });

      it('takes no group without webhook_enabled and no disabled one', async () => {
        await group('hooked', { webhook_enabled: true });
        const { token } = await muster.run(makeCronToken, { group_name: 'hooked' });
        const olga = await muster.addCaller('olga', { roles: ['syncer'] });
        const { webhook_token_hash } = await document('hooked');
        await group('hooked', { webhook_token_hash: webhook_token_hash ?? null, enabled: false });
        await expect(call({ token })).rejects.toEqual(code('forbidden'));
        await expect(call({ token: 'wrong' })).rejects.toEqual(code('forbidden'));
        await expect(call({}, olga)).rejects.toEqual(code('forbidden'));
        await expect(call({})).rejects.toEqual(code('unauthenticated'));
        await group('hooked', {
          webhook_token_hash: webhook_token_hash ?? null,
          enabled: false,
          webhook_enabled: true,
        });
        await expect(call({ token })).rejects.toEqual(code('conflict'));
        await expect(call({}, olga)).rejects.toEqual(code('conflict'));
        expect(await flag('hooked')).toBeUndefined();
      });

      it('writes every trigger and every refusal to the log, with no secret in it', async () => {
        await group('hooked', { webhook_enabled: true });
        const { token } = await muster.run(makeCronToken, { group_name: 'hooked' });
        const attempts = [
          call({ token }),
          call({ token: 'guessed token' }),
          call({}),
          call({ group_name: 'no\u001b[31m such\ngroup' }),
          call({ signature: 'sha256=00', timestamp: '1' }),
        ];
        await Promise.allSettled(attempts);
        const entries = await apiLog();
        expect(entries).toHaveLength(attempts.length);
        expect(entries.filter((entry) => entry.hasError)).toHaveLength(attempts.length - 1);
        for (const entry of entries) {
          expect(entry.details[0]).toMatchObject({
            level: 'info',
            message: 'from 192.0.2.7',
            wording: { template: 'from {address}' },
          });
          expect(entry.details.some(({ level }) => level === 'error')).toBe(entry.hasError);
        }
        expect(JSON.stringify(entries)).not.toMatch(/guessed|muster_hook_/);
        expect((await audit(triggerCronWebhook)).map((entry) => entry.outcome).sort()).toEqual([
          'done',
          'not_found',
          'unauthenticated',
          'unauthenticated',
          'unauthenticated',
        ]);
      });
    });

    describe('a signature policy', () => {
      const call = (input: object, caller: Caller = nobody()) =>
        muster.run(triggerCronWebhook, { group_name: 'hooked', ...input }, caller);
      const policy = (input: object) => muster.run(setCronPolicy, { group_name: 'hooked', ...input });

      beforeEach(() => group('hooked', { webhook_enabled: true }));

      it('takes a signed call once, and nothing else', async () => {
        const { token } = await muster.run(makeCronToken, { group_name: 'hooked' });
        expect(await policy({ secret: SECRET })).toEqual({
          group: 'hooked',
          webhook_enabled: true,
          policy: { window_seconds: 300, allow_ips: [] },
        });
        const good = signed('{"ref": "main"}');
        expect(await call(good)).toMatchObject({ status: 'triggered' });
        await expect(call(good)).rejects.toEqual(code('unauthenticated'));
        await expect(call({ ...good, signature: good.signature.toUpperCase().replace('SHA', 'sha') })).rejects.toEqual(
          code('unauthenticated'),
        );
        const olga = await muster.addCaller('olga', { roles: ['all'] });
        for (const [input, caller] of [
          [{ token }, nobody()],
          [{}, olga],
          [{ token }, olga],
          [{ ...signed('x'), body: Buffer.from('y') }, olga],
          [signed('', undefined, 'another secret'), nobody()],
          [signed('', 1), nobody()],
        ] as const) {
          await expect(call(input, caller)).rejects.toEqual(code('unauthenticated'));
        }
        expect(await call(signed('', undefined))).toMatchObject({ status: 'triggered' });
      });

      it('of many calls with one signature takes one', async () => {
        await policy({ secret: SECRET });
        const good = signed('again and again');
        const answers = await Promise.allSettled(Array.from({ length: 10 }, () => call(good)));
        expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      });

      it('looks at the address before the signature', async () => {
        await policy({ secret: SECRET, allow_ips: ['198.51.100.0/24', '::1'] });
        await expect(call(signed())).rejects.toEqual(code('forbidden'));
        await expect(call({})).rejects.toEqual(code('forbidden'));
        const near = { ...nobody(), address: '198.51.100.9' };
        await expect(call({}, near)).rejects.toEqual(code('unauthenticated'));
        expect(await call(signed(), near)).toMatchObject({ status: 'triggered' });
      });

      it('is stored sealed, exported as secret_crypted, and works after the export is imported', async () => {
        const { secret } = await policy({ generate: true, window_seconds: 60 });
        expect(secret).toMatch(/^[\w-]{43}$/);
        const exported: { rules: RuleDocument[] } = await muster.read(listRules, { rule_type: 'cron_groups' });
        expect(exported.rules[0]?.webhook_policy).toEqual({
          secret_crypted: expect.any(String),
          window_seconds: 60,
          allow_ips: [],
        });
        expect(JSON.stringify(exported)).not.toContain(secret);
        await muster.run(importRulesOfType, { rule_type: 'cron_groups', rules: exported.rules, override: true });
        expect(await call(signed('', undefined, secret))).toMatchObject({ status: 'triggered' });
      });

      it('keeps what is not given, and goes when it is removed', async () => {
        await policy({ secret: SECRET, window_seconds: 20, allow_ips: ['192.0.2.0/24'] });
        expect(await policy({ window_seconds: 40 })).toMatchObject({
          policy: { window_seconds: 40, allow_ips: ['192.0.2.0/24'] },
        });
        expect(await call(signed())).toMatchObject({ status: 'triggered' });
        await policy({ secret: `${SECRET}!` });
        await expect(call(signed('', undefined))).rejects.toEqual(code('unauthenticated'));
        expect(await call(signed('', undefined, `${SECRET}!`))).toMatchObject({ status: 'triggered' });
        expect(await policy({ remove: true })).toEqual({ group: 'hooked', webhook_enabled: true, policy: null });
        expect(await document('hooked')).not.toHaveProperty('webhook_policy');
        const { token } = await muster.run(makeCronToken, { group_name: 'hooked' });
        expect(await call({ token })).toMatchObject({ status: 'triggered' });
      });

      it.each([
        [{}],
        [{ window_seconds: 10 }],
        [{ secret: '' }],
        [{ secret: SECRET, window_seconds: 0 }],
        [{ secret: SECRET, allow_ips: ['10.0.0.0/64'] }],
        [{ secret: SECRET, allow_ips: ['everybody'] }],
      ])('is not made of %j', async (input) => {
        await expect(policy(input)).rejects.toEqual(code('invalid_input'));
        expect(await document('hooked')).not.toHaveProperty('webhook_policy');
      });

      it('tells of a secret that is short', async () => {
        await group('hooked');
        expect(await policy({ secret: 'short' })).toMatchObject({ weak_secret: true });
        expect(await policy({ secret: SECRET })).not.toHaveProperty('weak_secret');
      });

      it('whose secret cannot be opened takes nothing, and tells callers nothing about keys', async () => {
        await group('hooked', { webhook_enabled: true, webhook_policy: { secret_crypted: 'x' } });
        const { token } = await muster.run(makeCronToken, { group_name: 'hooked' });
        for (const input of [{}, { token }, signed(), signed('', undefined, '')]) {
          await expect(call(input)).rejects.toEqual(code('unauthenticated'));
        }
      });

      it('is made, with a token, while passes and triggers change the group', async () => {
        await group('hooked', { webhook_enabled: true });
        const [, made, { token }] = await Promise.all([
          Promise.all(Array.from({ length: 10 }, () => muster.run(triggerCronGroup, { group_name: 'hooked' }))),
          policy({ generate: true }),
          muster.run(makeCronToken, { group_name: 'hooked' }),
          muster.run(runCronPass, {}),
        ]);
        expect(await call(signed('', undefined, made.secret))).toMatchObject({ status: 'triggered' });
        await policy({ remove: true });
        expect(await call({ token })).toMatchObject({ status: 'triggered' });
      });

      it('is made by administrators only, as tokens are', async () => {
        const olga = await muster.addCaller('olga', { roles: ['all'] });
        const attempts = [
          muster.run(setCronPolicy, { group_name: 'hooked', generate: true }, olga),
          muster.run(makeCronToken, { group_name: 'hooked' }, olga),
          muster.run(runCronPass, {}, olga),
        ];
        expect(await outcomes(attempts)).toEqual(['role_missing', 'role_missing', 'role_missing']);
      });
    });

    describe('jobs', () => {
      it('do what operations do, with entries of their own in the audit log', async () => {
        await muster.addAccounts('crm');
        await muster.run(saveHost, { hostname: 'web1', account: 'crm', labels: { os: 'linux' } });
        const body = '{"name": "for {{ HOSTNAME }}", "enabled": true, "condition_typ": "anyway", "outcomes": []}';
        const auto = { name: 'auto', enabled: true, rule_type: 'custom_attributes', rule_body: body };
        await muster.run(importRulesOfType, { rule_type: 'syncer_rule_automation', rules: auto });
        await group('nightly', {
          jobs: [{ command: 'Syncer: Autocreate Rules' }, { command: 'mark stale' }, { command: 'Maintenance' }],
        });
        const { groups } = await muster.run(runCronPass, {});
        expect(groups).toMatchObject([{ name: 'nightly', state: 'done' }]);
        expect(groups[0]?.jobs).toHaveLength(3);
        expect(await muster.storage.rules.findByName('custom_attributes', 'for web1')).toBeDefined();
        expect(await audit({ name: 'rules/run-autorules' })).toMatchObject([
          { actor: 'cron', entrance: 'cron', outcome: 'done' },
        ]);
      });

      describe('of existing installations', () => {
        const csvAccount = async (accountName: string): Promise<void> => {
          const custom_fields = [{ name: 'path', value: '/nowhere/hosts.csv' }];
          const rules = { name: accountName, typ: 'csv', enabled: true, custom_fields };
          await muster.run(importRulesOfType, { rule_type: 'accounts', rules });
        };
        const logOf = async (service_name: string, caller?: Caller) =>
          (await muster.run(getServiceLog, { service_name }, caller)).result;

        it('are found in the log by the idents that they had there, those that are not here too', async () => {
          await csvAccount('crm');
          const jobs = [
            { name: 'hosts', command: 'CSV: Import Hosts', account: 'crm' },
            { command: 'Checkmk: Export Hosts' },
            { command: 'Syncer: Maintenence' },
          ];
          await group('old', { jobs, continue_on_error: true });
          await muster.run(runCronPass, {});
          expect(await logOf('csv_import')).toMatchObject({ source: 'csv_import', has_error: true });
          expect(await logOf('CSV')).toMatchObject({ source: 'CSV', has_error: true });
          const missing = await logOf('cmk_host_sync');
          expect(missing.details).toEqual([
            { name: 'error', message: expect.stringMatching(/^Checkmk: Export Hosts needs a connector for Checkmk/) },
          ]);
          expect(await logOf('Maintenance')).toMatchObject({ has_error: false });
          expect(await logOf('cron')).toMatchObject({ source: 'cron:old', has_error: true });
          const sources = (await muster.run(listLogs, {})).entries.map(({ source }) => source);
          expect(sources).toEqual(expect.arrayContaining(['csv_import', 'CSV', 'cmk_host_sync', 'Maintenance']));
          await expect(logOf('netbox_cluster_sync')).rejects.toEqual(code('not_found'));
        });

        it('are found by them when they ran in another way, by whom may see the account', async () => {
          await csvAccount('crm');
          await csvAccount('red');
          const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['red'] });
          await muster.run(importAccount, { account: 'red' });
          expect(await logOf('csv_import', scoped)).toMatchObject({ source: 'import:red' });
          await muster.run(importAccount, { account: 'crm' });
          expect(await logOf('csv_import')).toMatchObject({ source: 'import:crm' });
          expect(await logOf('csv_import', scoped)).toMatchObject({ source: 'import:red' });
          await expect(logOf('cron', scoped)).rejects.toEqual(code('not_found'));
          await expect(logOf('json_file_import')).rejects.toEqual(code('not_found'));
          await group('both', { jobs: [{ command: 'CSV: Import Hosts', account: 'crm' }] });
          await muster.run(runCronPass, {});
          expect(await logOf('csv_import')).toMatchObject({ source: 'csv_import' });
          expect(await logOf('csv_import', scoped)).toMatchObject({ source: 'import:red' });
        });
      });

      it('are told over REST in local times where monitoring expects those, and in UTC elsewhere', async () => {
        await group('nightly');
        await muster.run(runCronPass, {});
        const olga = await muster.addCaller('olga', { roles: ['all'] });
        const times = async (app: OperationsApp, caller?: Caller) => {
          const { groups } = await app.run(listCronGroups, {}, caller);
          const entry = await app.run(getServiceLog, { service_name: 'cron:nightly' }, caller);
          const { entries } = await app.run(listLogs, {}, caller);
          return [groups[0]?.last_start, groups[0]?.next_run, entry.result.time, entries[0]?.time];
        };
        const utc = await times(muster, olga);
        const local = await OperationsApp.over(opened.storage, {
          REST_LOCAL_TIMES: true,
          TIMEZONE: 'Asia/Kolkata',
        });
        const shifted = utc.map((time) => {
          const moment = new Date(`${time?.replace(' ', 'T')}Z`).getTime() + 5.5 * 60 * 60 * 1000;
          return new Date(moment).toISOString().slice(0, 19).replace('T', ' ');
        });
        expect(await times(local, olga)).toEqual(shifted);
        expect(await times(local)).toEqual(utc);
      });

      describe('of existing installations that look for stale hosts', () => {
        const DAY_MS = 24 * 60 * 60 * 1000;

        async function account(accountName: string, options: Record<string, string>): Promise<void> {
          const custom_fields = Object.entries(options).map(([option, value]) => ({ name: option, value }));
          const rules = { name: accountName, typ: 'maintenance', enabled: true, custom_fields };
          await muster.run(importRulesOfType, { rule_type: 'accounts', rules, override: true });
        }

        async function host(hostname: string, accountName: string, daysAgo: number): Promise<void> {
          const stored = await muster.storage.rules.findByName('accounts', accountName);
          await muster.storage.hosts.saveLabels({
            account: { id: stored?.id ?? '', isObject: false, objectType: 'host' },
            entries: [{ hostname, labels: StoredJson.ofValue({}) }],
            at: new Date(Date.now() - daysAgo * DAY_MS),
            actor: { kind: 'system', name: 'test' },
          });
        }

        async function active(): Promise<readonly string[]> {
          const filter = { scope: null, kind: 'all', state: 'active' } as const;
          return (await muster.storage.hosts.page({ filter, offset: 0, limit: 99 })).map(({ hostname }) => hostname);
        }

        async function runOne(job: RuleDocument): Promise<string> {
          await group('old', { jobs: [job], run_once_next: true });
          const { groups } = await muster.run(runCronPass, {});
          return groups[0]?.jobs[0]?.message ?? '';
        }

        beforeEach(async () => {
          await account('red', { stale_after_days: '7' });
          await account('blue', {});
          await host('red-old', 'red', 9);
          await host('red-new', 'red', 2);
          await host('blue-old', 'blue', 9);
        });

        it('take the days of their account, and archive only where it says so', async () => {
          const job = { command: 'Syncer: Mark Stale Hosts', account: 'red' };
          expect(await runOne(job)).toMatch(/^1 host of red not seen for 7 days; .* none was archived$/);
          expect(await active()).toHaveLength(3);
          await account('red', { stale_after_days: '7', auto_archive_when_stale: 'True' });
          expect(await runOne(job)).toBe('1 host archived');
          expect(await active()).toEqual(['blue-old', 'red-new']);
          expect(await runOne({ ...job, account: 'blue' })).toMatch(/^blue has no stale_after_days/);
          expect(await active()).toEqual(['blue-old', 'red-new']);
        });

        it('take days, filter and limit of the account for maintenance', async () => {
          const job = { command: 'Syncer: Maintenence', account: 'tidy' };
          const limited = { delete_hosts_after_days: '7', dont_delete_hosts_if_more_then: '2' };
          await account('tidy', limited);
          expect(await runOne(job)).toMatch(/^2 hosts are stale, .*dont_delete_hosts_if_more_then of tidy/);
          expect(await active()).toHaveLength(3);
          await account('tidy', { ...limited, account_filter: 'blue' });
          expect(await runOne(job)).toMatch(/^1 stale host archived/);
          expect(await active()).toEqual(['red-new', 'red-old']);
          await account('tidy', { delete_hosts_after_days: '0' });
          expect(await runOne(job)).toMatch(/^0 stale hosts archived/);
          await account('tidy', { delete_hosts_after_days: 'soon' });
          expect(await runOne(job)).toMatch(/^delete_hosts_after_days of account tidy must be a whole number/);
          await account('tidy', { delete_hosts_after_days: '7', account_filter: 'nobody' });
          expect(await runOne(job)).toMatch(/account_filter of tidy names nobody/);
          expect(await active()).toEqual(['red-new', 'red-old']);
        });
      });

      it('that are not registered are warned about when the group is imported, and fail when it runs', async () => {
        const jobs = [
          { command: 'Maintenance' },
          { command: 'Cisco: Reticulate' },
          { command: 'BMC remedy: Get Hosts' },
        ];
        const rules = { name: 'typo', enabled: true, jobs, continue_on_error: true };
        const answer = await muster.run(importRulesOfType, { rule_type: 'cron_groups', rules });
        expect(answer).toMatchObject({ imported: 1, invalid: 0 });
        expect(answer.warnings).toEqual([
          expect.objectContaining({
            path: 'jobs.1.command',
            message: expect.stringMatching(/Cisco: Reticulate.*Import.*will fail$/),
          }),
          expect.objectContaining({
            path: 'jobs.2.command',
            message: expect.stringMatching(/^BMC Remedy: Get Hosts needs a connector for BMC Remedy .*will fail$/),
          }),
        ]);
        const { groups } = await muster.run(runCronPass, {});
        expect(groups[0]?.jobs.map(({ failed }) => failed)).toEqual([false, true, true]);
      });
    });
  });
}
