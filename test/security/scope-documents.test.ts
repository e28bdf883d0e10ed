import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { addRelation } from '../../src/app/relations/operations/add-relation.ts';
import { exportRules } from '../../src/app/rules/operations/export-rules.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { KEPT_TYPES } from '../../src/plugins/kept-types/table.ts';
import { type Attempt, Entrances } from './support/entrances.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

type Document = Record<string, unknown> & { readonly name: string };
type Put = (entrances: Entrances, type: string, document: object) => Promise<Attempt>;

const SECRET = 'S3cret-of-theirs';
const anyway = { enabled: true, condition_typ: 'anyway', conditions: [] };

/** Shows a password of a foreign account to one foreign host. */
const NARROW: Document = {
  name: 'Backup password',
  enabled: true,
  condition_typ: 'all',
  conditions: [{ match_type: 'host', hostname: 'foreign', hostname_match: 'equal' }],
  outcomes: [{ attribute_name: 'backup', attribute_value: '{{ACCOUNT:theirs:password}}' }],
};

/** One document of each type that acts on hosts of all accounts. */
const BEYOND: Readonly<Record<string, Document>> = {
  // What they will do to whose hosts is not known yet.
  ...Object.fromEntries(KEPT_TYPES.map(({ ident }) => [ident, { name: 'k', ...anyway }])),
  custom_attributes: { ...NARROW, ...anyway },
  sign_in_groups: { name: 's', enabled: true, groups: ['g'], api_roles: ['objects'] },
  notification_policies: { name: 'n', enabled: true, receivers: ['mail'] },
  automation_rewrite: {
    name: 'r',
    ...anyway,
    outcomes: [{ old_attribute_name: 'os', overwrite_name: 'string', new_attribute_name: 'x', overwrite_value: '' }],
  },
  automation_filter: { name: 'hide', ...anyway, outcomes: [{ action: 'ignore_hosts', attribute_name: '' }] },
  automation_customvars: { name: 'v', ...anyway, outcomes: [{ attribute_name: 'steered', attribute_value: 'yes' }] },
  automation_groups: {
    name: 'g',
    ...anyway,
    outcomes: [{ group_name: 'all', group_variables: [{ variable_name: 'steered', variable_value: 'yes' }] }],
  },
  automation_playbook_fire: { name: 'f', ...anyway, outcomes: [{ playbook: 'x.yml' }] },
  rest_target_filter: { name: 'hidden there', ...anyway },
  rest_target_values: { name: 'v', ...anyway, outcomes: [{ name: 'class', value: 'x' }] },
  ...Object.fromEntries(
    ['cluster', 'contacts', 'dcim_interfaces', 'devices', 'ips', 'prefixes', 'virtual_interfaces', 'vms'].map(
      (what) => [`netbox_${what}`, { name: 'there', ...anyway, outcomes: [{ action: 'ignore_host', param: '' }] }],
    ),
  ),
  netbox_rewrites: {
    name: 'r',
    ...anyway,
    outcomes: [{ old_attribute_name: 'os', overwrite_name: 'string', new_attribute_name: 'x', overwrite_value: '' }],
  },
  idoit_rules: { name: 'there', ...anyway, outcomes: [{ action: 'ignore_host', param: '' }] },
  idoit_rewrite: {
    name: 'r',
    ...anyway,
    outcomes: [{ old_attribute_name: 'os', overwrite_name: 'string', new_attribute_name: 'x', overwrite_value: '' }],
  },
  jira_export: { name: 'there', ...anyway, outcomes: [{ target: '17|Name', value: 'x' }] },
  jira_filter: { name: 'f', ...anyway, outcomes: [{ action: 'ignore_hosts' }] },
  jira_rewrite: {
    name: 'r',
    ...anyway,
    outcomes: [{ old_attribute_name: 'os', overwrite_name: 'string', new_attribute_name: 'x', overwrite_value: '' }],
  },
  automation_projects: { name: 'spy', enabled: true },
  syncer_rule_automation: { name: 'a', enabled: true, rule_type: 'automation_filter', rule_body: '{}' },
  cron_groups: { name: 'mine only', enabled: true, jobs: [{ command: 'Import', account: 'mine' }] },
  cmdb_templates: { name: '', hostname: 'template', cmdb_match: 'os:linux', labels: { steered: 'yes' } },
  cmk_sites: { name: 's', enabled: true, server_address: 'srv' },
  cmk_site_settings: { name: 'settings', cmk_version: '2.3' },
  cmk_folder_pool: { name: 'pool', folder_name: '/p', folder_seats: 10, enabled: true },
  cmk_passwords: { name: 'p', title: 't', password: 'abc' },
};

/** Every way in which a document gets into the service. */
const WAYS: Readonly<Record<string, Put>> = {
  'REST, one type': (e, type, document) =>
    e.rest('scoped', { method: 'POST', url: `/api/v1/rules/${type}?override=1`, payload: [document] }),
  'REST, dry run': (e, type, document) =>
    e.rest('scoped', { method: 'POST', url: `/api/v1/rules/${type}?dry_run=1`, payload: document }),
  'REST, bundle': (e, type, document) =>
    e.rest('scoped', { method: 'POST', url: '/api/v1/rules/import', payload: { rules: { [type]: [document] } } }),
  'REST, lines': (e, type, document) =>
    e.rest('scoped', {
      method: 'POST',
      url: `/api/v1/rules/import?override=1&rule_type=${type}`,
      headers: { 'content-type': 'text/plain' },
      payload: `${JSON.stringify(document)}\n`,
    }),
  'tool create_rule': (e, rule_type, rule) => e.tool('scoped', 'create_rule', { rule_type, rule, override: true }),
  'tool import_rules_bulk': (e, rule_type, rule) =>
    e.tool('scoped', 'import_rules_bulk', { payload: { rules: { [rule_type]: [rule] } }, override: true }),
  'page, new rule': async (e, rule_type, document) =>
    e.page(await e.cookieOf('scoped'), 'rules/save-rule', { rule_type, document }),
  'page, file': async (e, type, document) =>
    e.page(await e.cookieOf('scoped'), 'rules/import-rules', {
      text: JSON.stringify({ rules: { [type]: [document] } }),
      override: true,
    }),
};

describe.each(THOROUGH_STORES)('documents of who is restricted to accounts, %s', (_store, create) => {
  let entrances: Entrances;
  let narrowId: string;

  async function everything(): Promise<string> {
    const flags = { include_hosts: true, include_accounts: true, include_users: true, include_passwords: true };
    const { rules }: { rules: Record<string, { hostname?: string }[]> } = await entrances.muster.read(
      exportRules,
      flags,
    );
    return JSON.stringify(rules);
  }

  async function inventory(user: string): Promise<Record<string, Record<string, unknown>>> {
    const { body } = await entrances.rest(user, { url: '/api/v1/inventory/automation/automation' });
    return body._meta.hostvars;
  }

  beforeAll(async () => {
    entrances = await Entrances.over(create, { CMDB_MODE: true });
    const { muster } = entrances;
    await muster.addAccounts('mine');
    await muster.run(addAccount, { name: 'theirs', type: 'api', password: SECRET });
    await muster.addCaller('root', { roles: ['all'], admin: true });
    await muster.addCaller('scoped', { roles: ['all'], accounts: ['mine'] });
    await muster.addCaller('stranger', { roles: ['objects'], accounts: ['theirs'] });
    for (const [hostname, account] of [
      ['own', 'mine'],
      ['own2', 'mine'],
      ['foreign', 'theirs'],
    ]) {
      await muster.run(saveHost, { hostname, account, labels: { os: 'linux' } });
    }
    await muster.run(addRelation, { hostname: 'own', type: 'runs_on', target: 'foreign' });
    await muster.run(importRules, { rules: { custom_attributes: [NARROW] } });
    narrowId = (await muster.storage.rules.findByName('custom_attributes', NARROW.name))?.id ?? '';
  });

  afterAll(() => entrances.stop());

  it.each(Object.entries(BEYOND))('of type %s are refused at every entrance', async (type, document) => {
    const before = await everything();
    for (const [way, put] of Object.entries(WAYS)) {
      expect(await put(entrances, type, document), way).toMatchObject({
        code: 'forbidden',
        body: { message: expect.stringMatching(/restricted to some; ask an unrestricted user/) },
      });
    }
    expect(await everything()).toBe(before);
  });

  it('names every type that has no account dimension', () => {
    const types = entrances.muster.app.services.plugins.ruleTypes().map(({ id }) => id);
    expect([...Object.keys(BEYOND), 'accounts', 'users', 'host_objects'].sort()).toEqual([...types].sort());
  });

  it('cannot be widened, so that no host shows the secret of a foreign account', async () => {
    const before = await everything();
    const stored = (await entrances.muster.storage.rules.get('custom_attributes', narrowId))?.document.value;
    const widened = { ...stored, ...anyway };
    const cookie = await entrances.cookieOf('scoped');
    const attempts = [
      await entrances.rest('scoped', {
        method: 'POST',
        url: '/api/v1/rules/custom_attributes?override=1',
        payload: widened,
      }),
      await entrances.page(cookie, 'rules/save-rule', {
        rule_type: 'custom_attributes',
        document: widened,
        version: 1,
      }),
      await entrances.page(cookie, 'rules/revert-rule', {
        rule_type: 'custom_attributes',
        rule: NARROW.name,
        version: 1,
      }),
      await entrances.page(cookie, 'rules/remove-rule', { rule_type: 'custom_attributes', rule: NARROW.name }),
      // A trial shows what having the rule would show.
      await entrances.page(cookie, 'rules/try-rule', {
        rule_type: 'custom_attributes',
        document: widened,
        hostname: 'own',
      }),
      await entrances.page(cookie, 'rules/rules-impact', { rules: { custom_attributes: [widened] } }),
    ];
    expect(attempts.map(({ code }) => code)).toEqual(attempts.map(() => 'forbidden'));
    expect(await everything()).toBe(before);
    expect((await inventory('scoped')).own).toMatchObject({ os: 'linux' });
    expect((await inventory('scoped')).own).not.toHaveProperty('backup');
    // The control: who is not restricted changes it, and the foreign host has always had it.
    expect((await inventory('root')).foreign).toHaveProperty('backup');
    const mine = { ...stored, documentation: 'changed' };
    expect(
      await entrances.rest('root', {
        method: 'POST',
        url: '/api/v1/rules/custom_attributes?override=1',
        payload: mine,
      }),
    ).toMatchObject({ ok: true, body: { imported: 1 } });
  });

  it('answers about documents that cannot be seen as about unknown ones', async () => {
    const cookie = await entrances.cookieOf('scoped');
    await entrances.muster.run(importRules, {
      rules: { cron_groups: [{ name: 'hidden', jobs: [{ command: 'Import', account: 'theirs' }] }] },
    });
    for (const [rule_type, hidden] of [
      ['cron_groups', 'hidden'],
      ['accounts', 'theirs'],
      ['users', 'stranger'],
    ] as const) {
      for (const operation of ['rules/show-rule', 'rules/rule-history', 'rules/revert-rule', 'rules/remove-rule']) {
        const ask = async (rule: string) => {
          const { code, text } = await entrances.page(cookie, operation, { rule_type, rule, version: 1 });
          return [code, text.replaceAll(rule, 'X')];
        };
        expect(await ask(hidden), `${operation} ${rule_type}`).toEqual(await ask('unknown'));
      }
    }
    expect(await entrances.muster.storage.rules.findByName('cron_groups', 'hidden')).toBeDefined();
  });

  it('does not run autorules, which make rules for hosts of all accounts', async () => {
    const attempts = [
      await entrances.rest('scoped', { method: 'POST', url: '/api/v1/rules/autorules', payload: {} }),
      await entrances.tool('scoped', 'run_autorules', {}),
      await entrances.page(await entrances.cookieOf('scoped'), 'rules/run-autorules', {}),
    ];
    expect(attempts.map(({ code }) => code)).toEqual(attempts.map(() => 'forbidden'));
    const control = await entrances.rest('root', { method: 'POST', url: '/api/v1/rules/autorules', payload: {} });
    expect(control).toMatchObject({ ok: true, body: { status: 'ok' } });
  });

  describe('host documents', () => {
    const put = (document: object, user = 'scoped') =>
      entrances.rest(user, { method: 'POST', url: '/api/v1/rules/host_objects?override=1', payload: document });

    it('cannot reach hosts of others, be it by an edge or by a seat in a folder', async () => {
      const before = await everything();
      for (const document of [
        { hostname: 'foreign', account: 'mine', labels: {} },
        { hostname: 'new', account: 'theirs', labels: {} },
        { hostname: 'new', labels: {} },
        { hostname: 'own', account: 'mine', folder: '/p' },
      ]) {
        expect(await put(document), JSON.stringify(document)).toMatchObject({ code: 'forbidden' });
      }
      const edgeTo = async (target: string) => {
        const { code, text } = await put({
          hostname: 'own2',
          account: 'mine',
          relations: [{ type: 'depends_on', target }],
        });
        return [code, text.replaceAll(target, 'X')];
      };
      expect((await edgeTo('foreign'))[0]).toBe('forbidden');
      expect(await edgeTo('foreign')).toEqual(await edgeTo('unknown'));
      expect(await everything()).toBe(before);
    });

    it('are exported without edges to hosts of others, and keep those when they are posted back', async () => {
      const exported = await entrances.rest('scoped', { url: '/api/v1/rules/host_objects' });
      expect(exported.text).not.toContain('foreign');
      const before = await everything();
      expect(await put(exported.body.rules)).toMatchObject({ body: { imported: 2 } });
      expect(JSON.parse(await everything()).host_objects).toEqual(JSON.parse(before).host_objects);
      const { body } = await entrances.rest('root', { url: '/api/v1/objects/foreign/relations' });
      expect(body.inbound).toMatchObject([{ target: 'own', type: 'runs_on' }]);
    });

    it('leave a host alone that was given to others while the import ran', async () => {
      const { muster } = entrances;
      const { hosts } = muster.storage;
      const { putDocuments } = hosts;
      vi.spyOn(hosts, 'putDocuments').mockImplementationOnce(async (...args) => {
        await muster.run(saveHost, { hostname: 'late', account: 'theirs', labels: { by: 'root' } });
        return putDocuments.apply(hosts, args);
      });
      const documents = ['late', 'own5'].map((hostname) => ({ hostname, account: 'mine', labels: { by: 'scoped' } }));
      expect((await put(documents)).body).toMatchObject({
        imported: 1,
        duplicate: 0,
        invalid: 1,
        details: [{ index: 0, name: 'late', path: 'late', message: 'is not of an account of yours' }],
      });
      const theirs = await muster.storage.rules.findByName('accounts', 'theirs');
      const late = await hosts.find('late');
      expect([late?.accountId, late?.labels.value]).toEqual([theirs?.id, { by: 'root' }]);
    });

    it('are imported for the own accounts, with edges between them', async () => {
      const documents = [
        { hostname: 'own3', account: 'mine', labels: { a: '1' }, relations: [{ type: 'runs_on', target: 'own4' }] },
        { hostname: 'own4', account: 'mine', labels: {}, relations: [{ type: 'depends_on', target: 'own' }] },
      ];
      expect(await put(documents)).toMatchObject({ ok: true, body: { imported: 2 } });
      const { body } = await entrances.rest('scoped', { url: '/api/v1/objects/own4/relations' });
      expect(body).toMatchObject({ outgoing: [{ target: 'own' }], inbound: [{ target: 'own3' }] });
    });
  });

  it('of accounts and users are of the own accounts, and tell nothing of others', async () => {
    const theirs = await entrances.muster.storage.rules.findByName('accounts', 'theirs');
    const before = await everything();
    for (const [type, document] of [
      ['accounts', { name: 'theirs', type: 'api', enabled: false }],
      ['accounts', { name: 'new', type: 'api' }],
      ['accounts', { _id: { $oid: theirs?.id }, name: 'mine', type: 'api' }],
      ['users', { name: 'stranger', restrict_to_accounts: ['mine'] }],
      ['users', { name: 'free', api_roles: ['objects'] }],
      ['users', { name: 'both', restrict_to_accounts: ['mine', 'theirs'] }],
    ] as const) {
      for (const override of [0, 1]) {
        const url = `/api/v1/rules/${type}?override=${override}`;
        const attempt = await entrances.rest('scoped', { method: 'POST', url, payload: document });
        expect(attempt, JSON.stringify(document)).toMatchObject({ code: 'forbidden' });
        if (document.name !== 'theirs' && document.name !== 'both') expect(attempt.text).not.toContain('theirs');
      }
    }
    expect(await everything()).toBe(before);
    const mine = await entrances.rest('scoped', { url: '/api/v1/rules/accounts' });
    const url = '/api/v1/rules/accounts?override=1';
    expect(await entrances.rest('scoped', { method: 'POST', url, payload: mine.body.rules })).toMatchObject({
      body: { imported: 1 },
    });
    expect(
      await entrances.rest('scoped', {
        method: 'POST',
        url: '/api/v1/rules/users',
        payload: { name: 'colleague', api_roles: ['objects'], restrict_to_accounts: ['mine'] },
      }),
    ).toMatchObject({ body: { imported: 1 } });
  });

  it('leave honest work as it was: hosts by REST, in bulk, by tool and by page, and inventories', async () => {
    const { body: bulk } = await entrances.rest('scoped', {
      method: 'POST',
      url: '/api/v1/objects/bulk',
      payload: { account: 'mine', objects: [{ hostname: 'b1', labels: {} }] },
    });
    expect(bulk).toEqual({ status: 'saved 1', 'not-saved': [] });
    const save = {
      method: 'POST',
      url: '/api/v1/objects/own',
      payload: { account: 'mine', labels: { os: 'bsd' } },
    } as const;
    expect((await entrances.rest('scoped', save)).body).toEqual({ status: 'saved' });
    expect(
      await entrances.tool('scoped', 'upsert_host', { hostname: 't1', account: 'mine', labels: {} }),
    ).toMatchObject({ ok: true });
    const cookie = await entrances.cookieOf('scoped');
    expect(
      await entrances.page(cookie, 'hosts/save-host', { hostname: 'p1', account: 'mine', labels: {} }),
    ).toMatchObject({ ok: true });
    expect(Object.keys(await inventory('scoped'))).toEqual(expect.arrayContaining(['b1', 'own', 'p1', 't1']));
    expect(await inventory('scoped')).not.toHaveProperty('foreign');
  });
});
