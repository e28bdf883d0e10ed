import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainHost } from '../../src/app/explain/operations/explain-host.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../src/app/inventory/operations/render-inventory.ts';
import { confirmRule } from '../../src/app/rules/operations/confirm-rule.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { showRule } from '../../src/app/rules/operations/show-rule.ts';
import type { RuleDocument } from '../../src/ports/index.ts';
import type { OpenedStorage } from '../../src/testing/harness.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { callerWith } from './support/callers.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

const SECRET = 'Tr0ub4dor&3-of-the-vault';
const PUBLIC = 'shared-with-all-hosts';
const VAULT = { $oid: '5f00000000000000000000a1' };
const SHARED = { $oid: '5f00000000000000000000a2' };
const author = callerWith('author', { roles: ['rules'] });
const boss = callerWith('boss', { roles: ['all'] });

describe.each(THOROUGH_STORES)(
  'a confirmed macro shows the secret that an administrator meant, and no other one, over %s',
  (_name, createStorage) => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      opened = await createStorage();
      muster = await OperationsApp.over(opened.storage);
      const account = { type: 'api', enabled: true };
      const rule = {
        name: 'snmp',
        enabled: true,
        condition_typ: 'anyway',
        outcomes: [{ attribute_name: 'community', attribute_value: '{{ACCOUNT:shared:password}}' }],
      };
      const accounts = [
        { _id: VAULT, name: 'vault', password: SECRET, ...account },
        { _id: SHARED, name: 'shared', password: PUBLIC, ...account },
      ];
      await muster.run(importRules, { rules: { accounts, automation_customvars: [rule] } }, boss);
      await muster.run(saveHost, { hostname: 'web1', account: 'vault', labels: {} });
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    const variables = (provider = 'automation', host = 'web1') =>
      muster.read(renderInventory, { provider, host }) as Promise<RuleDocument>;

    const written = (accounts: readonly RuleDocument[], caller = author) =>
      muster.run(importRules, { rules: { accounts: [...accounts] }, override: true }, caller);

    it('control: it shows that one', async () => {
      expect(await variables()).toMatchObject({ community: PUBLIC });
    });

    it('also not when somebody makes the account a child of the one with the secret', async () => {
      const child = { _id: SHARED, name: 'shared', type: 'api', enabled: true, is_child: true, parent: 'vault' };
      await written([child]);
      expect(JSON.stringify(await variables())).not.toContain(SECRET);
      const { explanation } = await muster.run(explainHost, { hostname: 'web1' });
      expect(JSON.stringify(explanation.rules)).toContain('accounts shared waits for an administrator');
      await muster.run(confirmRule, { rule_type: 'accounts', rule: 'shared' }, boss);
      expect(await variables()).toMatchObject({ community: SECRET });
    });

    it('also not when somebody gives the account with the secret its name', async () => {
      const renamed = [
        { _id: SHARED, name: 'other', type: 'api', enabled: true },
        { _id: VAULT, name: 'shared', type: 'api', enabled: true, password_crypted: '********' },
      ];
      for (const account of renamed) await expect(written([account])).rejects.toMatchObject({ code: 'forbidden' });
      expect(JSON.stringify(await variables())).not.toContain(SECRET);
    });

    it('sites: a name of an account in which a macro seems to end hides no macro', async () => {
      const name = 'x{{:name}}';
      await written([{ name, type: 'api', enabled: true, is_child: true, parent: 'vault' }]);
      await muster.run(confirmRule, { rule_type: 'accounts', rule: name }, boss);
      const loot = { variable_name: 'loot', variable_value: `{{ACCOUNT:${name}:password}}` };
      const user = { variable_name: 'user', variable_value: 'is {{ACCOUNT:shared:name}}' };
      const site = { name: 's', enabled: true, server_address: 'cmk1', custom_ansible_variables: [loot, user] };
      await muster.run(importRules, { rules: { cmk_sites: [site] } }, author);
      expect(JSON.stringify(await variables('cmk_sites', 'cmk1'))).not.toContain(SECRET);
      expect(await variables('cmk_sites', 'cmk1')).toMatchObject({ user: 'is shared' });
    });

    describe('settings of monitoring sites', () => {
      const settings = {
        name: 'unused',
        cmk_server_address: 'main.example.org',
        cmk_secret: SECRET,
        webserver_certificate_private_key: SECRET,
        subscription_password: '{{ACCOUNT:vault:password}}',
      };
      const site = { name: 's', enabled: true, server_address: 'cmk1', settings_master: 'unused' };
      const sites = (cmk_sites: readonly RuleDocument[], caller = author) =>
        muster.run(importRules, { rules: { cmk_sites: [...cmk_sites] }, override: true }, caller);
      beforeEach(async () => {
        await muster.run(importRules, { rules: { cmk_site_settings: [settings] } }, boss);
      });

      it('control: are shown by the site of an administrator, and by one that he confirmed', async () => {
        const shown = { cmk_secret: SECRET, subscription_password: SECRET, webserver_certificate_private_key: SECRET };
        await sites([site], boss);
        expect(await variables('cmk_sites', 'cmk1')).toMatchObject(shown);
        await sites([{ ...site, name: 't', server_address: 'cmk2' }]);
        await muster.run(confirmRule, { rule_type: 'cmk_sites', rule: 't' }, boss);
        expect(await variables('cmk_sites', 'cmk2')).toMatchObject(shown);
      });

      it.each(['name', 'id'])('show no secret by a site that somebody else makes, by %s', async (how) => {
        const { id } = await muster.run(showRule, { rule_type: 'cmk_site_settings', rule: 'unused' }, boss);
        const { warnings } = await sites([{ ...site, settings_master: how === 'id' ? { $oid: id } : 'unused' }]);
        expect(JSON.stringify(warnings)).toContain('waits for an administrator');
        const shown = await variables('cmk_sites', 'cmk1');
        expect(JSON.stringify(shown)).not.toContain(SECRET);
        expect(shown).toMatchObject({ cmk_server_address: 'main.example.org' });
        const whole = await muster.read(renderInventory, { provider: 'cmk_sites' });
        expect(JSON.stringify(whole)).not.toContain(SECRET);
        const { inventories } = muster.app.services;
        expect(await inventories.waiting('cmk_sites')).toEqual([{ type: 'cmk_sites', name: 's' }]);
      });

      it('show no secret when somebody else says where they are used', async () => {
        await sites([site], boss);
        const { document } = await muster.run(showRule, { rule_type: 'cmk_site_settings', rule: 'unused' }, author);
        const changed = { ...document, cmk_server_address: 'evil.example.org' };
        await muster.run(importRules, { rules: { cmk_site_settings: [changed] }, override: true }, author);
        expect(JSON.stringify(await variables('cmk_sites', 'cmk1'))).not.toContain(SECRET);
        const { inventories } = muster.app.services;
        expect(await inventories.waiting('cmk_sites')).toEqual([{ type: 'cmk_site_settings', name: 'unused' }]);
      });

      it('own variables of a confirmed site are data where an account that nobody vouches for fills them', async () => {
        const jump = { name: 'jump', type: 'api', enabled: true, username: 'gate.example.org' };
        const own = [{ variable_name: 'ansible_ssh_common_args', variable_value: '-J {{ACCOUNT:jump:username}}' }];
        await written([jump], boss);
        await sites([{ ...site, custom_ansible_variables: own }], boss);
        const served = { ansible_ssh_common_args: '-J gate.example.org' };
        expect(await variables('cmk_sites', 'cmk1')).toMatchObject(served);
        await written([{ ...jump, username: 'x -oProxyCommand=id' }]);
        expect(await variables('cmk_sites', 'cmk1')).not.toHaveProperty('ansible_ssh_common_args');
        const { inventories } = muster.app.services;
        expect(await inventories.waiting('cmk_sites')).toEqual([{ type: 'accounts', name: 'jump' }]);
        await muster.run(confirmRule, { rule_type: 'accounts', rule: 'jump' }, boss);
        expect(await variables('cmk_sites', 'cmk1')).toHaveProperty('ansible_ssh_common_args');
      });
    });
  },
);
