import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runAutorules } from '../../src/app/autorules/operations/run-autorules.ts';
import { exportAccount } from '../../src/app/exports/operations/export-account.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import type { Caller } from '../../src/app/kernel/caller.ts';
import { runDoctor } from '../../src/app/maintenance/operations/run-doctor.ts';
import { firePlaybooks } from '../../src/app/playbooks/operations/fire-playbooks.ts';
import { testAccount } from '../../src/app/preview/operations/test-account.ts';
import { confirmRule } from '../../src/app/rules/operations/confirm-rule.ts';
import { createRule } from '../../src/app/rules/operations/create-rule.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { listWaiting } from '../../src/app/rules/operations/list-waiting.ts';
import { saveRule } from '../../src/app/rules/operations/save-rule.ts';
import { showRule } from '../../src/app/rules/operations/show-rule.ts';
import { runCronPass } from '../../src/app/runs/cron/operations/run-pass.ts';
import { saveCronGroup } from '../../src/app/runs/cron/operations/save-group.ts';
import { setCronRunOnceNext } from '../../src/app/runs/cron/operations/set-run-once-next.ts';
import { importAccount } from '../../src/app/runs/import/operations/import-account.ts';
import { changeOwnPassword } from '../../src/app/users/operations/change-own-password.ts';
import { changeUser } from '../../src/app/users/operations/change-user.ts';
import { createToken } from '../../src/app/users/operations/create-token.ts';
import { tokenHash } from '../../src/app/users/token.ts';
import { makeCronToken } from '../../src/app/webhooks/operations/make-token.ts';
import { triggerCronWebhook } from '../../src/app/webhooks/operations/trigger-webhook.ts';
import { newWebhookToken } from '../../src/app/webhooks/webhook-token.ts';
import { AppError } from '../../src/ports/index.ts';
import type { OpenedStorage } from '../../src/testing/harness.ts';
import { OperationsApp, PASSWORD } from '../app/operations/operations-app.ts';
import { FakeRunner } from '../app/playbooks/fake-runner.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });
const waits = expect.objectContaining({ message: expect.stringContaining('waits for an administrator') });

const FIRE = {
  name: 'strike',
  enabled: true,
  condition_typ: 'anyway',
  conditions: [],
  outcomes: [{ playbook: 'agent.yml' }],
};
const GROUP = {
  name: 'now',
  enabled: true,
  interval: '10min',
  run_once_next: true,
  jobs: [{ name: 'fire', command: 'Fire Playbooks' }],
};

describe.each(THOROUGH_STORES)('%s: what makes the machine act', (_store, create) => {
  let opened: OpenedStorage;
  let muster: OperationsApp;
  let folder: string;
  let runner: FakeRunner;
  let rules: Caller;
  let tools: Caller;
  let boss: Caller;
  beforeEach(async () => {
    opened = await create();
    folder = await mkdtemp(join(tmpdir(), 'muster-trust-'));
    await writeFile(join(folder, 'playbooks.yml'), 'playbooks:\n  - {file: agent.yml}\n');
    await writeFile(join(folder, 'agent.yml'), '');
    runner = new FakeRunner();
    muster = await OperationsApp.over(opened.storage, { PLAYBOOK_DIR: folder, DATA_DIR: folder }, undefined, runner);
    await muster.addAccounts('red');
    await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { os: 'debian' } });
    rules = await muster.addCaller('olga', { roles: ['rules'] });
    tools = { ...(await muster.addCaller('claude', { roles: ['mcp'] })), entrance: 'mcp' };
    boss = await muster.addCaller('boss', { roles: ['all'] });
  });
  afterEach(async () => {
    await muster.stop();
    await opened.close();
    await rm(folder, { recursive: true });
  });

  const load = (caller: Caller, documents: object, override = true) =>
    muster.run(importRules, { rules: documents, override }, caller);
  const waiting = async () =>
    (await muster.run(listWaiting, {})).waiting.map(({ rule_type, name }) => `${rule_type} ${name}`);

  describe('cron groups and firing rules', () => {
    const ways: [string, () => Promise<unknown>][] = [
      ['an import', () => load(rules, { cron_groups: [GROUP], automation_playbook_fire: [FIRE] })],
      [
        'JSON lines',
        () =>
          muster.run(
            importRules,
            {
              text: [{ rule_type: 'cron_groups' }, GROUP, { rule_type: 'automation_playbook_fire' }, FIRE]
                .map((line) => JSON.stringify(line))
                .join('\n'),
            },
            rules,
          ),
      ],
      [
        'tools',
        async () => {
          await muster.run(createRule, { rule_type: 'cron_groups', rule: GROUP }, tools);
          await muster.run(createRule, { rule_type: 'automation_playbook_fire', rule: FIRE }, tools);
        },
      ],
      [
        'pages',
        async () => {
          const { name, enabled } = GROUP;
          const jobs = [{ command: 'Fire Playbooks' }];
          const page: Caller = { ...rules, entrance: 'admin' };
          await muster.run(
            saveCronGroup,
            { settings: { name, enabled, interval_minutes: 10, hours: null, jobs } },
            page,
          );
          await muster.run(saveRule, { rule_type: 'automation_playbook_fire', document: FIRE }, page);
        },
      ],
    ];

    it.each(ways)('by %s of who may only write rules run nothing, and say so', async (_way, write) => {
      await write();
      const [report] = (await muster.run(runCronPass, {})).groups;
      expect(report).toMatchObject({ state: 'failed', message: expect.stringContaining('waits for an administrator') });
      expect(await muster.run(firePlaybooks, {})).toMatchObject({ started: 0 });
      expect(runner.calls).toEqual([]);
      expect(await waiting()).toEqual(['automation_playbook_fire strike', 'cron_groups now']);
      const { ok, findings } = await muster.run(runDoctor, {});
      expect(ok).toBe(false);
      expect(findings.find(({ check }) => check === 'trust')?.message).toContain('cron_groups now');
    });

    it('run when an administrator wrote them', async () => {
      await load(boss, { cron_groups: [GROUP], automation_playbook_fire: [FIRE] });
      expect((await muster.run(runCronPass, {})).groups).toMatchObject([{ state: 'done' }]);
      expect(runner.take()).toEqual(['web1 agent.yml']);
      expect(await waiting()).toEqual([]);
    });

    it('run when an administrator confirmed them, and wait again when somebody else changes them', async () => {
      await load(rules, { cron_groups: [GROUP], automation_playbook_fire: [FIRE] });
      await muster.run(confirmRule, { rule_type: 'cron_groups', rule: 'now' }, boss);
      const [report] = (await muster.run(runCronPass, {})).groups;
      expect(report?.message).toContain('automation_playbook_fire strike waits for an administrator');
      expect(runner.calls).toEqual([]);
      await muster.run(confirmRule, { rule_type: 'automation_playbook_fire', rule: 'strike' }, boss);
      await muster.run(setCronRunOnceNext, { job_name: 'now', run_once_next: true }, boss);
      expect((await muster.run(runCronPass, {})).groups).toMatchObject([{ state: 'done' }]);
      expect(runner.take()).toEqual(['web1 agent.yml']);
      await load(rules, { cron_groups: [{ ...GROUP, jobs: [{ command: 'Maintenance' }] }] });
      expect((await muster.run(runCronPass, {})).groups).toMatchObject([{ state: 'failed' }]);
    });

    it('stay confirmed when somebody brings the same again, or asks for a run', async () => {
      await load(boss, { automation_playbook_fire: [FIRE] });
      const { document } = await muster.run(showRule, { rule_type: 'automation_playbook_fire', rule: 'strike' });
      await load(rules, { automation_playbook_fire: [document] });
      expect(await waiting()).toEqual([]);
      await load(boss, { cron_groups: [{ ...GROUP, run_once_next: false, interval: null }] });
      const syncer = await muster.addCaller('sync', { roles: ['syncer'] });
      await muster.run(setCronRunOnceNext, { job_name: 'now', run_once_next: true }, syncer);
      expect((await muster.run(runCronPass, {})).groups).toMatchObject([{ state: 'done' }]);
    });

    it('are confirmed by nobody but an administrator, and only in the version that was read', async () => {
      await load(rules, { cron_groups: [GROUP] });
      const request = { rule_type: 'cron_groups', rule: 'now' };
      const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['red'] });
      for (const caller of [rules, tools, scoped, { ...boss, readOnly: true }]) {
        await expect(muster.run(confirmRule, request, caller)).rejects.toThrow(AppError);
      }
      const { id, version } = await muster.run(showRule, request, boss);
      await load(rules, { cron_groups: [{ ...GROUP, sort_field: 2 }] });
      const read = { ...request, rule: id, version };
      await expect(muster.run(confirmRule, read, boss)).rejects.toEqual(code('conflict'));
      expect(await waiting()).toEqual(['cron_groups now']);
    });

    it('that wait are not confirmed by a change of one thing in them', async () => {
      await load(rules, { automation_playbook_fire: [FIRE] });
      const shown = await muster.run(showRule, { rule_type: 'automation_playbook_fire', rule: 'strike' }, boss);
      expect(shown.waits).toEqual(['runs the playbook agent.yml']);
      const document = { ...shown.document, sort_field: 3 };
      await muster.run(saveRule, { rule_type: 'automation_playbook_fire', document, version: 1 }, boss);
      expect(await waiting()).toEqual(['automation_playbook_fire strike']);
    });

    it('that autorules make out of labels wait', async () => {
      const body = JSON.stringify({ ...FIRE, name: 'strike {{ HOSTNAME }}' });
      await load(boss, {
        syncer_rule_automation: [
          {
            name: 'auto',
            enabled: true,
            object_filter: 'host',
            rule_type: 'automation_playbook_fire',
            rule_body: body,
          },
        ],
      });
      await muster.run(runAutorules, {});
      expect(await waiting()).toEqual(['automation_playbook_fire strike web1']);
      expect(await muster.run(firePlaybooks, {})).toMatchObject({ started: 0 });
    });
  });

  it('stood there before the upgrade: it counts as confirmed', async () => {
    await load(rules, { cron_groups: [GROUP] });
    const { transfer } = opened.storage;
    for await (const records of transfer.read('rules', { batchSize: 100 })) {
      await transfer.write(
        'rules',
        records.map(({ key, value: { confirmedBy: _, ...value } }) => ({ key, value })),
      );
    }
    expect(await waiting()).toEqual([]);
  });

  describe('accounts', () => {
    const csv = (path: string) => ({
      name: 'evil',
      type: 'csv',
      enabled: true,
      custom_fields: [{ name: 'path', value: path }],
    });
    const target = { ...csv('x'), name: 'out', type: 'json_file', custom_fields: [{ name: 'path', value: 'x.json' }] };

    it('of somebody else are neither read nor written', async () => {
      await load(rules, { accounts: [csv('/etc/passwd'), target] });
      const admin = await muster.addCaller('root', { admin: true });
      await expect(muster.run(importAccount, { account: 'evil' })).rejects.toEqual(waits);
      await expect(muster.run(importAccount, { account: 'evil', dry_run: true })).rejects.toEqual(waits);
      await expect(muster.run(testAccount, { name: 'evil' }, admin)).rejects.toEqual(waits);
      const exported = await muster.run(exportAccount, { account: 'out' });
      expect(exported).toMatchObject({ status: 'failed', message: expect.stringContaining('accounts out waits') });
      await load(boss, { cron_groups: [{ ...GROUP, jobs: [{ command: 'Import', account: 'evil' }] }] });
      const [report] = (await muster.run(runCronPass, {})).groups;
      expect(report).toMatchObject({ state: 'failed', message: expect.stringContaining('accounts evil waits') });
    });

    it('that inherit from one of somebody else are not read either', async () => {
      await load(rules, { accounts: [{ ...csv('/etc/passwd'), name: 'parent', type: 'api' }] });
      await load(boss, {
        accounts: [{ name: 'child', type: 'csv', enabled: true, is_child: true, parent: 'parent', custom_fields: [] }],
      });
      await expect(muster.run(importAccount, { account: 'child' })).rejects.toEqual(waits);
    });

    it('that are written through the API do not wait', async () => {
      await load(rules, { accounts: [{ name: 'plain', type: 'api', enabled: true }] });
      await muster.run(saveHost, { hostname: 'web2', account: 'plain', labels: {} }, boss);
      expect(await waiting()).toEqual([]);
    });
  });

  describe('users and tokens', () => {
    const token = 'muster_abcdefgh_0123456789012345678901234567890123456789012';
    const spy = (pwdhash: string) => ({
      name: 'spy',
      api_roles: ['rules'],
      pwdhash,
      api_tokens: [{ prefix: 'abcdefgh', label: 'spy', hash: tokenHash(token) }],
    });
    const login = (name: string, password = PASSWORD) =>
      muster.app.services.users.authenticate({ kind: 'password', name, password });

    it('that somebody else imports open nothing, by password or token', async () => {
      const pwdhash = await muster.app.services.passwords.hash(PASSWORD);
      await load(rules, { users: [spy(pwdhash)] });
      expect(await login('spy')).toBeUndefined();
      expect(await muster.app.services.users.authenticate({ kind: 'token', token })).toBeUndefined();
      expect(await waiting()).toEqual(['users spy']);
      // A new password is no confirmation of the token that is in the document too.
      await muster.run(changeUser, { name: 'spy', password: 'another good battery' });
      expect(await login('spy', 'another good battery')).toBeUndefined();
      await muster.run(confirmRule, { rule_type: 'users', rule: 'spy' }, boss);
      expect(await login('spy', 'another good battery')).toMatchObject({ name: 'spy' });
    });

    it('that an administrator imports open, and stay open over changes of their own', async () => {
      await load(boss, { users: [spy(await muster.app.services.passwords.hash(PASSWORD))] });
      const caller = await muster.callerOf('spy');
      const change = { present_password: PASSWORD, new_password: 'another good battery' };
      await muster.run(changeOwnPassword, change, caller);
      expect(await login('spy', 'another good battery')).toMatchObject({ name: 'spy' });
      await muster.run(createToken, { name: 'spy', label: 'x' });
      expect(await login('spy', 'another good battery')).toMatchObject({ name: 'spy' });
    });
  });

  describe('webhook tokens', () => {
    const nobody: Caller = {
      name: 'anonymous',
      roles: [],
      readOnly: true,
      globalAdmin: false,
      scope: [],
      scopeNames: [],
      templates: null,
      templateNames: null,
      entrance: 'rest',
      address: '127.0.0.1',
      requestId: 'test',
      path: '/api/v1/syncer/cron/trigger/now',
      refusal: new AppError('unauthenticated', 'no credentials'),
    };
    const trigger = (token: string) => muster.run(triggerCronWebhook, { group_name: 'now', token }, nobody);
    const group = { ...GROUP, run_once_next: false, interval: null, webhook_enabled: true };

    it('that somebody else imports open nothing', async () => {
      await load(boss, { cron_groups: [group] });
      const { token, hash } = newWebhookToken();
      const [{ document }] = [await muster.run(showRule, { rule_type: 'cron_groups', rule: 'now' })];
      await load(rules, { cron_groups: [{ ...document, webhook_token_hash: hash }] });
      await expect(trigger(token)).rejects.toEqual(code('unauthenticated'));
    });

    it('that an administrator makes open', async () => {
      await load(boss, { cron_groups: [group] });
      const { token } = await muster.run(makeCronToken, { group_name: 'now' });
      expect(await trigger(token)).toMatchObject({ status: 'triggered' });
    });
  });
});
