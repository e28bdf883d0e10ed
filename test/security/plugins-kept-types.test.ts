import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../src/app/inventory/operations/render-inventory.ts';
import { runDoctor } from '../../src/app/maintenance/operations/run-doctor.ts';
import { createRule } from '../../src/app/rules/operations/create-rule.ts';
import { exportRules } from '../../src/app/rules/operations/export-rules.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { listRules } from '../../src/app/rules/operations/list-rules.ts';
import { saveRule } from '../../src/app/rules/operations/save-rule.ts';
import { showRule } from '../../src/app/rules/operations/show-rule.ts';
import type { OperationsApp } from '../app/operations/operations-app.ts';
import { guardPlugin, guardRule, PluginWorld } from './support/plugin-world.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

const KNOWN = {
  name: 'a',
  enabled: true,
  condition_typ: 'anyway',
  outcomes: [{ attribute_name: 'a', attribute_value: '1' }],
};
const FOREIGN = {
  _id: { $oid: 'a'.repeat(24) },
  name: 'x',
  enabled: true,
  condition_typ: 'all',
  conditions: [{ odd: 1 }],
  zz: [1, { b: null }],
};
const code = (expected: string) => expect.objectContaining({ code: expected });

describe.each(THOROUGH_STORES)('%s: documents of a type that nobody knows', (store, create) => {
  // What does not depend on how the store answers.
  const onOneStore = it.runIf(store === 'SQLite');
  let world: PluginWorld;
  let muster: OperationsApp;

  beforeEach(async () => {
    world = await PluginWorld.create(create);
    muster = await world.program();
    await muster.addAccounts('crm');
    for (const hostname of ['open', 'secret']) await muster.run(saveHost, { hostname, account: 'crm', labels: {} });
  });
  afterEach(() => world.close());

  const hosts = async (program = muster) =>
    ((await program.read(renderInventory, { provider: 'automation' })) as { all: { hosts: string[] } }).all.hosts;
  const list = async (rule_type: string) =>
    ((await muster.read(listRules, { rule_type })) as { rules: object[] }).rules;

  onOneStore('accounts of a type that nobody provides are named by doctor, with what to do', async () => {
    const findings = async () => (await muster.run(runDoctor, {})).findings.filter(({ check }) => check === 'accounts');
    expect(await findings()).toEqual([]);
    const account = { name: 'legacy', type: 'ldap_of_old', enabled: false };
    await muster.run(importRules, { rules: { accounts: [account] } });
    const [finding] = await findings();
    expect(finding).toMatchObject({ ok: true, warning: true });
    expect(finding?.message).toMatch(/legacy \(ldap_of_old\).*PLUGINS.*another type.*muster rules remove accounts/);
    await muster.run(importRules, { rules: { accounts: [{ ...account, type: 'csv' }] }, override: true });
    expect(await findings()).toEqual([]);
  });

  it('are kept by every way in, named in the answer, and refuse nothing else', async () => {
    const request = await world.http(muster);
    const bundle = {
      rules: {
        checkmk_rules: [FOREIGN],
        custom_attributes: [KNOWN],
        checkmk_dcd: [{ name: 'd' }, { name: 'd', _id: { $oid: 'c'.repeat(24) } }],
      },
    };
    const answer = await request('/api/v1/rules/import', bundle);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      201,
      expect.objectContaining({
        imported: { custom_attributes: 1 },
        total: 1,
        kept: { checkmk_rules: 1, checkmk_dcd: 2 },
      }),
    ]);
    const again = await request('/api/v1/rules/import', bundle);
    expect([again.status, JSON.parse(again.body)]).toEqual([
      200,
      expect.objectContaining({
        total: 0,
        kept: { checkmk_rules: 0, checkmk_dcd: 0 },
        duplicate: { checkmk_rules: 1, custom_attributes: 1, checkmk_dcd: 2 },
      }),
    ]);
    const form = await request('/api/v1/rules/import', { rule_type: 'checkmk_tags', rules: [{ name: 't' }] });
    expect([form.status, JSON.parse(form.body).kept]).toEqual([201, { checkmk_tags: 1 }]);
    const lines = await request(
      '/api/v1/rules/import',
      `{"rule_type":"checkmk_lines"}\n{"name":"l"}\n{"rule_type":"custom_attributes"}\n${JSON.stringify({ ...KNOWN, name: 'b' })}\n`,
    );
    expect([lines.status, JSON.parse(lines.body)]).toEqual([
      201,
      expect.objectContaining({ kept: { checkmk_lines: 1 }, imported: { custom_attributes: 1 } }),
    ]);
    const command = await world.command(
      ['rules', 'import', '-'],
      {},
      JSON.stringify({ rules: { checkmk_cli: [{ name: 'c' }] } }),
    );
    expect([command.exitCode, command.stderr]).toEqual([0, expect.stringContaining('kept: checkmk_cli')]);

    const types = JSON.parse((await request('/api/v1/rules/types')).body).rule_types;
    expect(types).toEqual(
      expect.arrayContaining(['checkmk_cli', 'checkmk_dcd', 'checkmk_lines', 'checkmk_rules', 'checkmk_tags']),
    );
    expect(types).toEqual([...types].sort());
    expect(types).not.toContain('kept_rule_types');
    const read = await request('/api/v1/rules/checkmk_rules');
    expect([read.status, JSON.parse(read.body)]).toEqual([200, { rule_type: 'checkmk_rules', rules: [FOREIGN] }]);
    expect(JSON.stringify(JSON.parse(read.body).rules[0])).toBe(JSON.stringify(FOREIGN));
    const posted = await request('/api/v1/rules/checkmk_rules', [
      FOREIGN,
      { ...FOREIGN, _id: { $oid: 'b'.repeat(24) } },
    ]);
    expect([posted.status, JSON.parse(posted.body)]).toEqual([
      201,
      expect.objectContaining({ imported: 1, duplicate: 1, invalid: 0 }),
    ]);
    expect(await muster.run(createRule, { rule_type: 'checkmk_rules', rule: { name: 'one more' } })).toMatchObject({
      status: 'imported',
    });
    const exported = JSON.parse((await request('/api/v1/rules/export')).body).rules;
    expect(exported.checkmk_rules).toHaveLength(3);
    expect(exported).not.toHaveProperty('kept_rule_types');
    // Nothing of it takes part in anything.
    expect(await hosts()).toEqual(['open', 'secret']);
    expect((await request('/readyz')).status).toBe(200);
    expect((await world.command(['doctor'])).stdout).toContain('checkmk_rules');
    expect((await world.command(['storage', 'check'])).exitCode).toBe(0);
  });

  onOneStore(
    'stay 404 by their own path until there are some, and a line that is no object imports nothing',
    async () => {
      const request = await world.http(muster);
      expect((await request('/api/v1/rules/checkmk_rules', [FOREIGN])).status).toBe(404);
      expect((await request('/api/v1/rules/checkmk_rules')).status).toBe(404);
      for (const bad of ['{"name": ', '[1]', '7']) {
        const cut = await request('/api/v1/rules/import', `{"rule_type":"checkmk_rules"}\n{"name":"a"}\n${bad}`);
        expect([cut.status, JSON.parse(cut.body).message]).toEqual([400, expect.stringContaining('line 3')]);
      }
      expect((await request('/api/v1/rules/checkmk_rules')).status).toBe(404);
      await muster.run(importRules, { rules: { checkmk_rules: [FOREIGN] } });
      await world.command(['rules', 'remove', 'checkmk_rules', 'x']);
      expect((await request('/api/v1/rules/checkmk_rules')).status).toBe(404);
      await muster.run(importRules, { rules: { checkmk_rules: [FOREIGN] }, dry_run: true });
      expect((await request('/api/v1/rules/checkmk_rules')).status).toBe(404);
    },
  );

  it('come to life with their plugin, and are missed when it is gone', async () => {
    const guard = await world.module('guard', guardPlugin());
    await muster.run(importRules, { rules: { guard: [guardRule('secret')] } });
    expect(await hosts()).toEqual(['open', 'secret']);
    const sound = await world.program({ PLUGINS: [guard] });
    expect(await hosts(sound)).toEqual(['open']);
    await expect(hosts()).rejects.toEqual(code('unavailable'));
    // More of them change nothing of that, and neither does a bundle that takes them for unknown.
    await muster.run(importRules, { rules: { guard: [guardRule('other')] } });
    await expect(hosts()).rejects.toEqual(code('unavailable'));
  });

  onOneStore('cannot make the documents of a plugin inert', async () => {
    const guard = await world.module('guard', guardPlugin());
    const sound = await world.program({ PLUGINS: [guard] });
    await sound.run(importRules, { rules: { guard: [guardRule('secret')] } });
    const marks = [{ name: 'guard' }, { name: 'automation_filter' }];
    const answer = await muster.run(importRules, {
      rules: { kept_rule_types: marks, guard: [guardRule('b')] },
      override: true,
    });
    expect(answer).toMatchObject({ invalid: { kept_rule_types: 2 } });
    expect(answer.kept).not.toHaveProperty('kept_rule_types');
    await expect(hosts()).rejects.toEqual(code('unavailable'));
    for (const rule_type of ['kept_rule_types']) {
      await expect(muster.read(listRules, { rule_type })).rejects.toEqual(code('not_found'));
      await expect(muster.run(createRule, { rule_type, rule: { name: 'guard' } })).rejects.toEqual(code('not_found'));
    }
  });

  onOneStore('are refused under idents that are none, one by one, and beyond a number', async () => {
    const idents = ['', 'a b', '../x', 'a.b', '$where', 'x'.repeat(101), 'checkmk_ok'];
    const answer = await muster.run(importRules, {
      rules: Object.fromEntries(idents.map((ident) => [ident, [{ name: 'n' }]])),
    });
    expect(answer.kept).toEqual({ checkmk_ok: 1 });
    expect(answer.details).toHaveLength(idents.length - 1);
    const bad = await muster.run(importRules, {
      rules: { checkmk_ok: ['text', { _id: { $oid: 'no' } }, { big: 1n }] },
    });
    expect(bad).toMatchObject({ invalid: { checkmk_ok: 3 } });
    const many = Object.fromEntries(Array.from({ length: 210 }, (_, index) => [`type_${index}`, [{ name: 'n' }]]));
    const beyond = await muster.run(importRules, { rules: many });
    expect(Object.keys(beyond.kept ?? {})).toHaveLength(199);
  });

  onOneStore(
    'show no secrets to people, leave exports where they may hold some, and are not for restricted users',
    async () => {
      const secret = { name: 's', api_token: 'T0PSECRET', nested: [{ password: 'T0PSECRET' }] };
      await muster.run(importRules, {
        rules: { jira_users: [secret], netbox_accounts: [secret], vault_secrets: [secret], checkmk_x: [secret] },
      });
      expect(JSON.stringify(await muster.run(showRule, { rule_type: 'checkmk_x', rule: 's' }))).not.toContain(
        'T0PSECRET',
      );
      await expect(muster.run(saveRule, { rule_type: 'checkmk_x', document: { name: 'new' } })).rejects.toEqual(
        code('not_found'),
      );
      expect(await list('checkmk_x')).toMatchObject([secret]);
      const exported = async (flags: object) =>
        Object.keys(((await muster.read(exportRules, flags)) as { rules: object }).rules);
      expect(await exported({})).toContain('checkmk_x');
      expect(await exported({})).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(jira_users|netbox_accounts|vault)/)]),
      );
      expect(await exported({ include_users: true })).toContain('jira_users');
      const all = { include_hosts: true, include_users: true, include_accounts: true, include_passwords: true };
      expect(await exported(all)).toEqual(expect.arrayContaining(['jira_users', 'netbox_accounts', 'vault_secrets']));
      const scoped = await muster.addCaller('scoped', { roles: ['rules'], accounts: ['crm'] });
      expect(((await muster.read(listRules, { rule_type: 'checkmk_x' }, scoped)) as { rules: object[] }).rules).toEqual(
        [],
      );
      const answer = await muster
        .run(importRules, { rules: { checkmk_y: [{ name: 'n' }] } }, scoped)
        .catch(() => undefined);
      expect(answer?.kept ?? {}).not.toMatchObject({ checkmk_y: 1 });
      await expect(list('checkmk_y')).rejects.toEqual(code('not_found'));
    },
  );
});
