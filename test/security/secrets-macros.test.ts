import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runAutorules } from '../../src/app/autorules/operations/run-autorules.ts';
import { explainHost } from '../../src/app/explain/operations/explain-host.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../src/app/inventory/operations/render-inventory.ts';
import { confirmRule } from '../../src/app/rules/operations/confirm-rule.ts';
import { createRule } from '../../src/app/rules/operations/create-rule.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { listWaiting } from '../../src/app/rules/operations/list-waiting.ts';
import { ruleFailures } from '../../src/app/rules/operations/rule-failures.ts';
import { saveRule } from '../../src/app/rules/operations/save-rule.ts';
import type { RuleDocument } from '../../src/ports/index.ts';
import type { OpenedStorage } from '../../src/testing/harness.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { callerWith } from './support/callers.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

const SECRET = 'Tr0ub4dor&3-of-the-vault';
const author = callerWith('author', { roles: ['rules'] });
const tool = callerWith('model', { roles: ['mcp'], entrance: 'mcp' });
const boss = callerWith('boss', { roles: ['all'] });

function variable(attribute_value: string, members: RuleDocument = {}): RuleDocument {
  const outcomes = [{ attribute_name: 'loot', attribute_value }];
  return { name: 'spy', enabled: true, condition_typ: 'anyway', outcomes, ...members };
}

describe.each(THOROUGH_STORES)(
  'macros of secrets in rules of who is no administrator, over %s',
  (_name, createStorage) => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      opened = await createStorage();
      muster = await OperationsApp.over(opened.storage);
      const fields = [{ name: 'pin', value: SECRET, secret: true }];
      const account = {
        name: 'vault',
        type: 'api',
        enabled: true,
        username: 'svc',
        password: SECRET,
        custom_fields: fields,
      };
      await muster.run(importRules, { rules: { accounts: [account] } });
      await muster.run(saveHost, {
        hostname: 'web1',
        account: 'vault',
        labels: { text: '{{ACCOUNT:vault:password}}' },
      });
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    const variables = (provider = 'automation', host = 'web1') =>
      muster.read(renderInventory, { provider, host }) as Promise<RuleDocument>;

    it.each(['{{ACCOUNT:vault:password}}', '{{- ACCOUNT:vault:password -}}', '{{ACCOUNT:vault:pin}}'])(
      '%s shows nothing until an administrator confirms it, and waits again when it is changed',
      async (macro) => {
        for (const rule_type of ['custom_attributes', 'automation_customvars']) {
          const rule = variable(macro);
          await muster.run(createRule, { rule_type, rule }, tool);
          expect(JSON.stringify(await variables())).not.toContain(SECRET);
          const { failures } = await muster.run(ruleFailures, {});
          expect(failures).toMatchObject([
            { name: 'spy', last_error: expect.stringContaining('waits for an administrator') },
          ]);
          const { explanation } = await muster.run(explainHost, { hostname: 'web1' });
          expect(JSON.stringify(explanation.rules)).toContain('waits for an administrator');
          if (macro.includes('password')) {
            const { waiting } = await muster.run(listWaiting, {}, author);
            expect(waiting).toMatchObject([{ rule_type, name: 'spy', acts: ['shows the password of account vault'] }]);
          }
          await expect(muster.run(confirmRule, { rule_type, rule: 'spy' }, author)).rejects.toThrow();
          await muster.run(confirmRule, { rule_type, rule: 'spy' }, boss);
          expect(await variables()).toMatchObject({ loot: SECRET });
          const changed = { ...rule, documentation: 'changed' };
          await muster.run(importRules, { rules: { [rule_type]: [changed] }, override: true }, author);
          expect(JSON.stringify(await variables())).not.toContain(SECRET);
          await muster.run(
            importRules,
            { rules: { [rule_type]: [{ ...changed, enabled: false }] }, override: true },
            boss,
          );
        }
      },
    );

    it('in conditions, so that nobody guesses a secret by which hosts hit', async () => {
      await muster.run(saveHost, { hostname: 'web1', account: 'vault', labels: { guess: SECRET.slice(0, 3) } });
      const value = '{% set s %}{{ACCOUNT:vault:password}}{% endset %}{{ s[:3] }}';
      const condition = { match_type: 'tag', tag: 'guess', tag_match: 'equal', value_match: 'equal', value };
      const rule = variable('right', { condition_typ: 'all', conditions: [condition] });
      await muster.run(saveRule, { rule_type: 'automation_customvars', document: rule }, author);
      expect(await variables()).not.toHaveProperty('loot');
      await muster.run(confirmRule, { rule_type: 'automation_customvars', rule: 'spy' }, boss);
      expect(await variables()).toMatchObject({ loot: 'right' });
    });

    it('in sites and their settings, and in rules that are made by rules', async () => {
      const settings = { name: 'master', cmk_user: '{{ACCOUNT:vault:password}}', cmk_secret: '{{ACCOUNT:vault:pin}}' };
      const own = [{ variable_name: 'loot', variable_value: '{{ACCOUNT:vault:password}}' }];
      const site = {
        name: 's',
        enabled: true,
        server_address: 'cmk1',
        settings_master: 'master',
        custom_ansible_variables: own,
      };
      const body = { name: 'made {{HOSTNAME}}', ...variable('{{ACCOUNT:vault:password}}') };
      const autorule = {
        name: 'maker',
        enabled: true,
        rule_type: 'automation_customvars',
        rule_body: JSON.stringify(body),
      };
      // A label with a macro becomes one by a body that takes it for text, whoever wrote the body.
      const echo = { ...variable('{{ text }}'), name: 'echo {{HOSTNAME}}' };
      const echoing = { ...autorule, name: 'echo', rule_body: JSON.stringify(echo) };
      const rules = { cmk_site_settings: [settings], cmk_sites: [site], syncer_rule_automation: [autorule] };
      await muster.run(importRules, { rules }, author);
      await muster.run(importRules, { rules: { syncer_rule_automation: [echoing] } }, boss);
      await muster.run(runAutorules, {});
      expect(JSON.stringify(await variables('cmk_sites', 'cmk1'))).not.toContain(SECRET);
      expect(JSON.stringify(await variables())).not.toContain(SECRET);
      await muster.run(confirmRule, { rule_type: 'cmk_site_settings', rule: 'master' }, boss);
      await muster.run(confirmRule, { rule_type: 'cmk_sites', rule: 's' }, boss);
      expect(await variables('cmk_sites', 'cmk1')).toMatchObject({
        cmk_user: SECRET,
        cmk_secret: SECRET,
        loot: SECRET,
      });
    });

    it('show at once what is no secret, and everything in rules of administrators and of the operator', async () => {
      const open = variable('{{ACCOUNT:vault:username}}');
      await muster.run(importRules, { rules: { automation_customvars: [open] } }, author);
      expect(await variables()).toMatchObject({ loot: 'svc' });
      expect((await muster.run(listWaiting, {}, author)).waiting).toEqual([]);
      for (const caller of [boss, undefined]) {
        const rules = { automation_customvars: [variable('{{ACCOUNT:vault:password}}')] };
        await muster.run(importRules, { rules, override: true }, caller);
        expect(await variables()).toMatchObject({ loot: SECRET });
      }
    });
  },
);
