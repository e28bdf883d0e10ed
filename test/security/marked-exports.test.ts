import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { listRules } from '../../src/app/rules/operations/list-rules.ts';
import { listWaiting } from '../../src/app/rules/operations/list-waiting.ts';
import { removeRules } from '../../src/app/rules/operations/remove-rules.ts';
import type { RuleDocument } from '../../src/ports/index.ts';
import type { OpenedStorage } from '../../src/testing/harness.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { callerWith } from './support/callers.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

const AUTHOR = callerWith('author', { roles: ['rules'] });
const BOSS = callerWith('boss', { roles: ['all'], globalAdmin: true });
const LIMITED = { ...BOSS, token: { prefix: 't', limited: true } };

describe.each(THOROUGH_STORES)('what an export says of documents that wait, over %s', (_name, createStorage) => {
  let opened: OpenedStorage;
  let muster: OperationsApp;
  beforeEach(async () => {
    opened = await createStorage();
    muster = await OperationsApp.over(opened.storage);
  });
  afterEach(async () => {
    await muster.stop();
    await opened.close();
  });

  const GROUP = { name: 'now', enabled: true, jobs: [{ name: 'a', command: 'Maintenance' }] };
  const load = (rules: readonly object[], caller = BOSS, more: object = {}) =>
    muster.run(importRules, { rules: { cron_groups: rules }, override: true, ...more }, caller);
  const exported = async () =>
    ((await muster.read(listRules, { rule_type: 'cron_groups' }, BOSS)) as { rules: RuleDocument[] }).rules;
  const waiting = async () => (await muster.run(listWaiting, {}, BOSS)).waiting.map(({ name }) => name);

  it('comes back without confirming them', async () => {
    await load([GROUP], AUTHOR);
    const rules = await exported();
    expect(rules).toMatchObject([{ name: 'now', _waits: true }]);
    const { warnings } = await load(rules);
    expect(warnings).toMatchObject([{ name: 'now', message: expect.stringContaining('--confirm') }]);
    expect(await waiting()).toEqual(['now']);
    // The same document without the mark is still the one that waits here.
    await load(rules.map(({ _waits, ...document }) => document));
    expect(await waiting()).toEqual(['now']);
    // In another installation nothing is there yet.
    await muster.run(removeRules, { rule_type: 'cron_groups', rules: ['now'] }, BOSS);
    await load(rules);
    expect(await waiting()).toEqual(['now']);
    await load(rules, BOSS, { confirm: true });
    expect(await waiting()).toEqual([]);
    expect(await exported()).not.toMatchObject([{ _waits: true }]);
  });

  it('is confirmed by an administrator with all rights alone', async () => {
    await load([GROUP], AUTHOR);
    await load(await exported(), LIMITED, { confirm: true });
    expect(await waiting()).toEqual(['now']);
    await load([{ ...GROUP, interval: '10min' }]);
    expect(await waiting()).toEqual([]);
  });

  it('warns of filters that waited where it comes from', async () => {
    const rule = { _id: { $oid: 'b'.repeat(24) }, name: 'hides', enabled: false, _waits: true };
    const filters = {
      rules: { automation_filter: [{ ...rule, condition_typ: 'anyway', conditions: [], outcomes: [] }] },
    };
    const { warnings } = await muster.run(importRules, filters, BOSS);
    expect(warnings).toMatchObject([{ name: 'hides', message: expect.stringContaining('--confirm') }]);
    expect(await muster.run(importRules, { ...filters, override: true, confirm: true }, BOSS)).toMatchObject({
      warnings: [],
    });
  });

  it('the policy of a webhook goes on where its group is made anew', async () => {
    const policy = { secret: 'a-secret-of-the-webhook', window_seconds: 300, allow_ips: ['10.0.0.0/8'] };
    await load([{ ...GROUP, webhook_enabled: true, webhook_policy: policy }]);
    const find = async () => (await muster.app.services.cronGroups.find('now', null))?.webhookPolicy;
    await load([{ ...GROUP, webhook_enabled: true }], AUTHOR);
    expect(await find()).toMatchObject({ allowIps: ['10.0.0.0/8'] });
    await muster.run(removeRules, { rule_type: 'cron_groups', rules: ['now'] }, AUTHOR);
    await load([{ ...GROUP, webhook_enabled: true }], AUTHOR);
    expect(await find()).toMatchObject({ allowIps: ['10.0.0.0/8'] });
  });
});
