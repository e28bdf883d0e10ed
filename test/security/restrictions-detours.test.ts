import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { setAccount } from '../../src/app/accounts/operations/set-account.ts';
import { backUp } from '../../src/app/backups/operations/back-up.ts';
import { restoreBackup } from '../../src/app/backups/operations/restore-backup.ts';
import { compareTimes } from '../../src/app/earlier-times/operations/compare-times.ts';
import { archiveHost } from '../../src/app/hosts/operations/archive-hosts.ts';
import { restoreHost } from '../../src/app/hosts/operations/restore-hosts.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../src/app/inventory/operations/render-inventory.ts';
import { rotateKey } from '../../src/app/maintenance/operations/rotate-key.ts';
import { confirmRule } from '../../src/app/rules/operations/confirm-rule.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { listWaiting } from '../../src/app/rules/operations/list-waiting.ts';
import { removeRule } from '../../src/app/rules/operations/remove-rules.ts';
import { switchRules } from '../../src/app/rules/operations/switch-rules.ts';
import { setRunOnceNext } from '../../src/app/runs/cron/change-group.ts';
import { documentPlace, type RuleDocument, StoredJson } from '../../src/ports/index.ts';
import type { OpenedStorage } from '../../src/testing/harness.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { freshFolder, freshSqlite } from '../app/storage-transfer/support.ts';
import { callerWith } from './support/callers.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

const AUTHOR = callerWith('author', { roles: ['rules'] });
const READER = callerWith('reader', { roles: ['automation'] });
const ADA = callerWith('ada', { roles: ['all'], globalAdmin: true });
const BOB = callerWith('bob', { roles: ['all'], globalAdmin: true });
const FILTER = 'automation_filter';
const GROUPS = 'cron_groups';

describe.each(THOROUGH_STORES)('what restricts over %s', (_name, createStorage) => {
  let opened: OpenedStorage;
  let muster: OperationsApp;
  let now: number;
  beforeEach(async () => {
    opened = await createStorage();
    now = Date.UTC(2026, 0, 30, 12);
    const clock = { now: () => new Date(now) };
    muster = await OperationsApp.over(opened.storage, {}, undefined, undefined, clock);
  });
  afterEach(async () => {
    await muster.stop();
    await opened.close();
  });

  const filter = (name: string, sort_field: number, attribute_name: string) => ({
    ...{ name, enabled: true, sort_field, condition_typ: 'anyway', conditions: [] },
    outcomes: [{ action: 'whitelist_attribute', attribute_name }],
  });
  const load = (type: string, rules: readonly object[], caller = AUTHOR) =>
    muster.run(importRules, { rules: { [type]: rules }, override: true }, caller);
  const shown = async () =>
    Object.keys((await muster.read(renderInventory, { provider: 'automation', host: 'web1' })) as object);
  const waiting = async () => (await muster.run(listWaiting, {}, ADA)).waiting.map(({ name }) => name);

  describe('filters', () => {
    beforeEach(async () => {
      await muster.addAccounts('red');
      await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { site: 'fra', secret: 's3', os: 'x' } });
      await load(FILTER, [filter('all', 1, '*'), filter('one', 8, '!secret'), filter('two', 9, '!secret')], ADA);
    });
    const remove = (rule: string) => muster.run(removeRule, { rule_type: FILTER, rule }, AUTHOR);

    it('that hide the same are not taken away at the same time', async () => {
      await Promise.all([remove('one'), remove('two')]);
      expect(await shown()).not.toContain('secret');
      expect(await waiting()).toHaveLength(1);
    });

    it('of which another one hides the same are taken away at once', async () => {
      await remove('one');
      expect(await waiting()).toEqual([]);
      await remove('two');
      expect(await waiting()).toEqual(['two']);
      expect(await shown()).not.toContain('secret');
    });

    it('go on hiding in projects that others bring on, make or call by another name', async () => {
      const PROJECTS = 'automation_projects';
      const shop = { _id: { $oid: 'e'.repeat(24) }, name: 'shop', enabled: true };
      await load(PROJECTS, [shop, { name: 'bare', enabled: false }], ADA);
      await load(FILTER, [{ ...filter('of the shop', 1, '*'), project: 'e'.repeat(24) }], ADA);
      await load(FILTER, [{ ...filter('not the secret', 2, '!secret'), project: 'e'.repeat(24) }], ADA);
      for (const project of [
        { ...shop, name: 'market' },
        { name: 'bare', enabled: true },
        { name: 'new', enabled: true },
      ]) {
        await expect(load(PROJECTS, [project])).rejects.toMatchObject({ code: 'forbidden' });
      }
      await expect(
        muster.run(switchRules, { rule_type: PROJECTS, rules: ['bare'], enabled: true }, AUTHOR),
      ).rejects.toMatchObject({ code: 'forbidden' });
      // With filters of its own that hide as much, in one import, it counts at once.
      await muster.run(
        importRules,
        {
          rules: {
            [PROJECTS]: [{ name: 'new', enabled: true }],
            [FILTER]: [{ ...filter('of the new', 1, 'site'), project: 'new' }],
          },
        },
        AUTHOR,
      );
      await load(PROJECTS, [{ ...shop, description: 'what is sold', enabled: false }]);
      await load(PROJECTS, [{ ...shop, name: 'market' }], ADA);
      expect(await waiting()).toEqual([]);
    });

    it('that cannot be evaluated are taken away by an administrator alone', async () => {
      const store = (type: string, document: RuleDocument) =>
        opened.storage.rules.write({
          entries: [
            {
              ...{ type, id: 'd'.repeat(24), name: 'odd', uniqueName: true, confirmedBy: 'administrator' },
              document: StoredJson.ofValue({ _id: { $oid: 'd'.repeat(24) }, name: 'odd', enabled: true, ...document }),
            },
          ],
          ...{ mode: 'replace', at: new Date(now), actor: { kind: 'user', name: 'ada' } },
        });
      await store(FILTER, { condition_typ: 'all', conditions: [{ match_type: 'of another version' }] });
      await muster.run(removeRule, { rule_type: FILTER, rule: 'odd' }, AUTHOR);
      expect(await waiting()).toEqual(['odd']);
      await expect(shown()).rejects.toMatchObject({ code: 'unavailable' });
      await muster.run(confirmRule, { rule_type: FILTER, rule: 'odd' }, ADA);
      expect(await shown()).toContain('site');

      // Nobody knows what a rule hides whose plugin is gone.
      await store('gone_filter', {});
      const rules = { rule_type: 'gone_filter', rules: ['odd'] };
      for (const act of [
        () => muster.run(removeRule, { rule_type: 'gone_filter', rule: 'odd' }, AUTHOR),
        () => muster.run(switchRules, { ...rules, enabled: false }, AUTHOR),
        () => load('gone_filter', [{ name: 'odd', enabled: false }]),
        () => load('gone_filter', [{ _id: { $oid: 'd'.repeat(24) }, name: 'another', enabled: true }]),
      ]) {
        await expect(act()).rejects.toMatchObject({ code: 'forbidden' });
      }
      await load('gone_filter', [{ _id: { $oid: 'd'.repeat(24) }, name: 'odd', enabled: true }]);
      await expect(shown()).rejects.toMatchObject({ code: 'unavailable' });
      await muster.run(switchRules, { ...rules, enabled: false }, ADA);
      expect(await shown()).not.toContain('secret');
    });

    it('go on hiding what comes back from the archive', async () => {
      await muster.run(archiveHost, { hostname: 'web1' });
      await load(FILTER, [filter('two', 9, '!nothing')]);
      await remove('one');
      await muster.run(restoreHost, { hostname: 'web1' });
      expect(await shown()).not.toContain('secret');
    });

    it('that waited at an earlier time show nothing by a comparison with that time', async () => {
      await remove('one');
      await load(FILTER, [filter('two', 9, '!nothing')]);
      now += 3_600_000;
      await load(FILTER, [filter('three', 10, '!os')]);
      const compare = (caller = READER) => muster.run(compareTimes, { since: '30m' }, caller);
      now += 60_000;
      const { details, unknown } = await compare();
      expect(JSON.stringify(details)).not.toContain('s3');
      expect(unknown).toContainEqual(expect.stringContaining('filters count as they are today'));
      expect(await compare(ADA)).toMatchObject({ rule_count: 1 });
    });
  });

  it('people to accounts is not outdone by another name of an account', async () => {
    await muster.addAccounts('sales', 'staff');
    const staff = (await muster.app.services.accounts.byName('staff'))?.record.document.value;
    await expect(load('accounts', [{ ...staff, name: 'sale' }])).rejects.toMatchObject({ code: 'forbidden' });
    await load('accounts', [{ ...staff, description: 'people' }]);
    await load('accounts', [{ ...staff, name: 'people' }], callerWith('chief', { roles: ['all'] }));
    expect(await muster.app.services.accounts.byName('people')).toBeDefined();
  });

  it('is not lost by changes of one document at the same time', async () => {
    const policy = { secret: 'a-secret-of-the-webhook', window_seconds: 300, allow_ips: ['10.0.0.0/8'] };
    const group = { name: 'now', enabled: true, webhook_enabled: true, jobs: [{ name: 'a', command: 'Maintenance' }] };
    await load(GROUPS, [{ ...group, webhook_policy: policy }], ADA);
    await Promise.allSettled([
      load(GROUPS, [group]),
      ...[1, 2, 3, 4].map(() => muster.run(switchRules, { rule_type: GROUPS, rules: ['now'], enabled: false }, AUTHOR)),
      load(GROUPS, [{ ...group, webhook_policy: { ...policy, allow_ips: [] } }]),
    ]);
    const find = async () => muster.app.services.cronGroups.find('now', null);
    expect((await find())?.webhookPolicy).toMatchObject({ allowIps: ['10.0.0.0/8'] });
    await load(GROUPS, [group], ADA);
    expect((await find())?.webhookPolicy).toBeNull();
  });

  it('runs once where its change waits and it was asked to run', async () => {
    const policy = { secret: 'a-secret-of-the-webhook', window_seconds: 300, allow_ips: [] };
    const group = { name: 'now', enabled: true, jobs: [{ name: 'a', command: 'Maintenance' }] };
    await load(GROUPS, [{ ...group, webhook_policy: policy, run_once_next: true }], ADA);
    await load(GROUPS, [{ ...group, run_once_next: true }]);
    const find = async () => muster.app.services.cronGroups.find('now', null);
    const found = await find();
    expect(found).toMatchObject({ runOnceNext: true, webhookPolicy: { windowSeconds: 300 } });
    const flag = (wanted: boolean) =>
      setRunOnceNext(muster.app.services, found?.id ?? '', { kind: 'user', name: 'cron' }, wanted);
    await flag(false);
    expect((await find())?.runOnceNext).toBe(false);
    await flag(true);
    expect(await find()).toMatchObject({ runOnceNext: true, webhookPolicy: { windowSeconds: 300 } });
  });

  describe('a threshold of approval', () => {
    const set = (value: object, caller = ADA) => muster.run(setAccount, { name: 'child', ...value }, caller);
    const confirm = (caller = ADA) => muster.run(confirmRule, { rule_type: 'accounts', rule: 'child' }, caller);
    beforeEach(async () => {
      const account = { type: 'netbox', settings: { url: 'https://netbox.example.org' } };
      const settings = { ...account.settings, approval_above: '5' };
      await muster.run(addAccount, { ...account, name: 'parent', settings }, ADA);
      await muster.run(
        addAccount,
        { name: 'child', type: 'netbox', settings: { is_child: 'true', parent: 'parent' } },
        ADA,
      );
    });

    it.each([
      ['one of its own', { approval_above: '100000' }],
      ['no parent', { is_child: 'false', url: 'https://netbox.example.org' }],
      ['another parent', { parent: 'other' }],
    ])('that an account inherits is not outdone by %s', async (_how, settings) => {
      await muster.run(addAccount, { name: 'other', type: 'netbox', settings: { url: 'https://x.example.org' } }, ADA);
      await set({ settings });
      expect(await waiting()).toEqual(['child']);
      await expect(confirm()).rejects.toMatchObject({ code: 'forbidden' });
      await confirm(BOB);
      expect(await waiting()).toEqual([]);
    });

    it('that an account inherits is not left behind by another name of the parent', async () => {
      const { accounts } = muster.app.services;
      const parent = (await accounts.byName('parent'))?.record.document.value;
      await load('accounts', [{ ...parent, name: 'former' }], ADA);
      const account = { name: 'parent', type: 'netbox', settings: { url: 'https://netbox.example.org' } };
      await muster.run(addAccount, account, ADA);
      expect(await waiting()).toEqual(['former', 'parent']);
      await expect(muster.run(confirmRule, { rule_type: 'accounts', rule: 'parent' }, ADA)).rejects.toMatchObject({
        code: 'forbidden',
      });
      await muster.run(confirmRule, { rule_type: 'accounts', rule: 'former' }, BOB);
      await muster.run(confirmRule, { rule_type: 'accounts', rule: 'parent' }, BOB);
      expect(await waiting()).toEqual([]);
    });

    it('is left as it is by other changes, which wait for no second person', async () => {
      await set({ settings: { approval_above: '5' } });
      await set({ settings: { url: 'https://other.example.org' } });
      expect(await waiting()).toEqual([]);
    });

    it('is not changed and confirmed by one person because another one changed something before', async () => {
      const { storage, accounts } = muster.app.services;
      const document = (await accounts.byName('child'))?.record.document.value;
      await load('accounts', [{ ...document, parent: 'other' }]);
      expect(await storage.rules.findByName('accounts', 'child')).toMatchObject({ confirmedBy: null });
      await load('accounts', [{ ...document, custom_fields: [{ name: 'approval_above', value: '100000' }] }], ADA);
      expect(await waiting()).toEqual(['child']);
      await expect(confirm()).rejects.toMatchObject({ code: 'forbidden' });
      await confirm(BOB);
    });
  });
});

describe('what acts while its change waits', () => {
  it('keeps its secret through another instance key, a backup and its return', async () => {
    const storage = await freshSqlite();
    const folder = await freshFolder();
    const open = async (from = storage) => {
      const app = await OperationsApp.over(from, { INSTANCE_KEY: '', DATA_DIR: folder });
      onTestFinished(() => app.stop());
      return app;
    };
    const muster = await open();
    const group = { name: 'now', enabled: true, webhook_enabled: true, jobs: [] };
    const policy = { secret: 'a-secret-of-the-webhook', window_seconds: 300, allow_ips: ['10.0.0.0/8'] };
    const load = (document: object, caller: typeof ADA) =>
      muster.run(importRules, { rules: { [GROUPS]: [document] }, override: true }, caller);
    await load({ ...group, webhook_policy: policy }, ADA);
    await load({ ...group, webhook_policy: { ...policy, secret: 'another', allow_ips: [] } }, AUTHOR);
    const secretOf = async ({ app: { services } }: OperationsApp) => {
      const found = await services.cronGroups.find('now', null);
      const place = documentPlace(GROUPS, found?.id ?? '', 'webhook_policy.secret_crypted');
      expect(found?.webhookPolicy).toMatchObject({ allowIps: ['10.0.0.0/8'] });
      return services.secrets.open(found?.webhookPolicy?.secretCrypted ?? '', place);
    };
    expect(await secretOf(muster)).toBe(policy.secret);
    expect(await muster.run(rotateKey, {})).toMatchObject({ unreadable: [] });
    expect(await secretOf(await open())).toBe(policy.secret);
    const file = join(folder, 'backup.gz');
    await muster.run(backUp, { file });
    const restored = await open(await freshSqlite());
    await restored.run(restoreBackup, { file });
    expect(await secretOf(restored)).toBe(policy.secret);
    expect((await restored.run(listWaiting, {}, ADA)).waiting.map(({ name }) => name)).toEqual(['now']);
  });
});
