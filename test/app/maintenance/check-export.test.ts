import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { checkExport } from '../../../src/app/migration/operations/check-export.ts';
import { DIFFERENCES } from '../../../src/app/migration/words.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { fixtureText, referenceFacts } from '../../oracle/fixtures.ts';
import { BUILTIN_JOB_NAMES } from '../../support/builtin-registry.ts';
import { OperationsApp } from '../operations/operations-app.ts';

const oid = (number: number) => ({ $oid: number.toString(16).padStart(24, '0') });
const rule = (name: string, members: object = {}) => ({
  name,
  enabled: true,
  condition_typ: 'anyway',
  conditions: [],
  outcomes: [],
  sort_field: 1,
  last_match: false,
  ...members,
});
const asks = (tag: string, value_match = 'ignore', value = '') => ({
  match_type: 'tag',
  tag_match: 'equal',
  tag,
  value_match,
  value,
});
const FERNET = 'gAAAAABq6GYolo3CUn1Foqkj14X0AI5ACr5i';
const SCRYPT = `scrypt:32768:8:1$NZXXIIDCPEQGG2DB$${'ef'.repeat(64)}`;

let muster: OperationsApp;
beforeEach(async () => {
  const storage = memoryStorage()({ clock: systemClock });
  await storage.start();
  muster = await OperationsApp.over(storage);
});
afterEach(() => muster.stop());

const check = (rules: Record<string, unknown[]>) => muster.run(checkExport, { rules });
const topicsOf = async (rules: Record<string, unknown[]>) =>
  Object.fromEntries(
    (await check(rules)).differences.map(({ topic, documents }) => [topic, documents.map(({ name }) => name)]),
  );

describe('a check of an export: what the import would do', () => {
  it('says what a dry run of the import says, and stores nothing', async () => {
    const rules = {
      ansible_filter: [rule('Good'), rule('Bad', { condition_typ: 'maybe' })],
      vmware_custom_attributes: [{ name: 'later' }],
      made_up: [{ name: 'unknown' }],
    };
    const { import: imported, documents } = await check(rules);
    const { changes: _, differing: __, ...dry } = await muster.run(importRules, { rules, dry_run: true });
    expect(imported).toEqual(dry);
    expect(imported.details).toEqual([expect.objectContaining({ name: 'Bad', path: 'condition_typ' })]);
    expect(imported.kept).toEqual({ made_up: 1, vmware_custom_attributes: 1 });
    expect(imported.waits_for?.vmware_custom_attributes).toBe('wait for exports to VMware');
    expect(documents).toEqual({ automation_filter: 2, made_up: 1, vmware_custom_attributes: 1 });
    expect(await muster.storage.rules.counts()).toEqual(new Map());
  });

  it('names lines, and goes on behind those that are no JSON when asked to', async () => {
    const lines = ['{"rule_type": "ansible_filter"}', 'no json', JSON.stringify(rule('X', { condition_typ: 'no' }))];
    await expect(muster.run(checkExport, { lines: lines.join('\n') })).rejects.toMatchObject({ code: 'invalid_input' });
    const report = await muster.run(checkExport, { lines: lines.join('\n'), skip_broken: true });
    expect(report.import.details.map(({ line }) => line).sort()).toEqual([2, 3]);
  });
});

describe('a check of an export: what is different here', () => {
  it('projects without a filter', async () => {
    const rules = {
      ansible_projects: [
        { _id: oid(1), name: 'Default', enabled: true },
        { _id: oid(2), name: 'bare', enabled: true },
        { _id: oid(3), name: 'filtered', enabled: true },
        { _id: oid(4), name: 'off', enabled: false },
      ],
      ansible_filter: [rule('F', { project: oid(3) }), rule('G', { project: oid(2), enabled: false })],
      ansible_customvars: [rule('V', { project: oid(1), outcomes: [{ attribute_name: 'a', attribute_value: 'b' }] })],
    };
    expect(await topicsOf(rules)).toEqual({ no_filter: ['automation', 'bare'] });
    rules.ansible_filter.push(rule('H', { project: oid(1) }), rule('I', { project: oid(2) }));
    expect(await topicsOf(rules)).toEqual({});
  });

  it('filters by whole names', async () => {
    const shows = (attribute_name: string) => ({ outcomes: [{ action: 'whitelist_attribute', attribute_name }] });
    const ansible_filter = [rule('all', shows('*')), rule('one', shows('site')), rule('not', shows('!site'))];
    expect(await topicsOf({ ansible_filter })).toEqual({ empty_values: ['one'] });
  });

  it('custom attributes that read what others set', async () => {
    const sets = (attribute_name: string, attribute_value = 'x') => [{ attribute_name, attribute_value }];
    const custom_attributes = [
      rule('third', { sort_field: 3, outcomes: sets('c', '{{ tier }}') }),
      rule('first', { sort_field: 1, outcomes: sets('tier') }),
      rule('second', { sort_field: 2, conditions: [asks('tier')], condition_typ: 'all', outcomes: sets('b') }),
      rule('word', { sort_field: 4, outcomes: sets('d', 'tier') }),
      rule('off', { sort_field: 5, enabled: false, outcomes: sets('e', '{{ tier }}') }),
    ];
    expect(await topicsOf({ custom_attributes })).toEqual({ attributes_in_turn: ['second', 'third'] });
  });

  it('rewrites that read an old name, in the same project only', async () => {
    const renames = (old_attribute_name: string, new_attribute_name: string, new_value = '') => [
      {
        overwrite_name: 'string',
        old_attribute_name,
        new_attribute_name,
        overwrite_value: new_value === '' ? '' : 'jinja',
        new_value,
      },
    ];
    const ansible_rewrite = [
      rule('first', { outcomes: renames('site', 'place') }),
      rule('second', { sort_field: 2, outcomes: renames('rack', 'row', '{{ site }}') }),
      rule('elsewhere', { sort_field: 3, project: oid(2), outcomes: renames('rack', 'row', '{{ site }}') }),
    ];
    const rules = {
      ansible_projects: [{ _id: oid(2), name: 'other', enabled: true }],
      ansible_filter: [rule('F'), rule('G', { project: oid(2) })],
      ansible_rewrite,
    };
    expect(await topicsOf(rules)).toEqual({ rewrites_in_turn: ['second'] });
    const tag = (name: string) => ({
      match_type: 'tag',
      tag: name,
      tag_match: 'equal',
      value: 'x',
      value_match: 'equal',
    });
    const fires = (name: string, more: object) =>
      rule(name, { condition_typ: 'all', outcomes: [{ playbook: 'p.yml' }], ...more });
    const ansible_playbook_fire = [
      fires('old name', { conditions: [tag('site')] }),
      fires('new name', { conditions: [tag('place')] }),
      fires('other project', { conditions: [tag('site')], project: oid(2) }),
    ];
    expect(await topicsOf({ ...rules, ansible_playbook_fire })).toMatchObject({ firing_on_renamed: ['old name'] });
  });

  it('groups, hosts hidden beside ages, and playbooks', async () => {
    const old = { condition_typ: 'all', conditions: [asks('patched', 'older_than', '2d')] };
    const rules = {
      ansible_customvars: [rule('groups', { outcomes: [{ attribute_name: 'ansible_groups', attribute_value: 'g' }] })],
      ansible_filter: [rule('hide', { ...old, outcomes: [{ action: 'ignore_hosts', attribute_name: '' }] })],
      ansible_playbook_fire: [rule('fire', { outcomes: [{ playbook: 'a.yml' }] }), rule('off', { enabled: false })],
    };
    expect(await topicsOf(rules)).toMatchObject({ groups: ['groups'], hidden_hosts: ['hide'], playbooks: ['fire'] });
  });

  it('nested labels, where a rule takes them for one value', async () => {
    const where = (tag: string, value_match: string) => ({
      condition_typ: 'all',
      conditions: [asks(tag, value_match, 'x')],
      outcomes: [{ attribute_name: 'a', attribute_value: 'b' }],
    });
    const lines = (...names: string[]) => ({
      outcomes: names.map((attribute_name) => ({ action: 'whitelist_attribute', attribute_name })),
    });
    const rules = {
      host_objects: [
        { _id: oid(1), hostname: 'web01', object_type: 'host', labels: { site: { name: 'x' }, rack: 'r1' } },
      ],
      ansible_filter: [rule('whole', lines('site', 'rack')), rule('members', lines('rack', 'si*'))],
      ansible_customvars: [
        rule('text', where('site', 'in')),
        rule('there', where('site', 'ignore')),
        rule('member', where('site.name', 'in')),
      ],
      custom_attributes: [rule('plain', where('rack', 'equal')), rule('equal', where('site', 'equal'))],
    };
    expect(await topicsOf(rules)).toEqual({
      empty_values: ['members', 'whole'],
      nested_labels: ['members'],
      compared_objects: ['equal', 'text'],
    });
  });

  it('texts of several lines, attributes that collect values, and hosts that are not active', async () => {
    const sets = (attribute_value: string) => ({ outcomes: [{ attribute_name: 'a', attribute_value }] });
    const host = (hostname: string, lifecycle_state?: string) => ({
      _id: oid(hostname.length),
      hostname,
      labels: {},
      ...(lifecycle_state === undefined ? {} : { lifecycle_state }),
    });
    const rules = {
      ansible_filter: [rule('F')],
      ansible_customvars: [rule('lines', sets('a\nb')), rule('typed', sets('a\r\nb')), rule('one', sets('a\n'))],
      system_config: [{ _id: oid(1), merge_attributes: ['contact', 'tags'] }],
      host_objects: [host('a'), host('bb', 'active'), host('ccc', 'planned')],
    };
    const { differences } = await check(rules);
    expect(differences).toMatchObject([
      { topic: 'line_breaks', documents: [{ name: 'lines' }] },
      { topic: 'inactive_hosts', documents: [{ name: 'ccc' }] },
    ]);
    await muster.stop();
    const storage = memoryStorage()({ clock: systemClock });
    await storage.start();
    muster = await OperationsApp.over(storage, { CMDB_MODE: true });
    expect(await topicsOf(rules)).toEqual({ line_breaks: ['lines'] });
  });

  it('labels that are not served as they are', async () => {
    const host = (hostname: string, labels: object) => ({
      _id: oid(hostname.length),
      hostname,
      labels,
      object_type: 'host',
    });
    const host_objects = [
      host('plain', { site: 'a', ansible_host: '10.0.0.1' }),
      host('template', { motd: '{{ site }}' }),
      host('connection', { ansible_connection: 'local' }),
    ];
    expect(await topicsOf({ host_objects })).toEqual({ template_text: ['template'], ansible_labels: ['connection'] });
  });

  it('accounts of types that nobody provides, and options that do not fit', async () => {
    const account = (name: string, typ: string, fields: Record<string, string> = {}, members: object = {}) => ({
      _id: oid(name.length),
      name,
      typ,
      enabled: true,
      custom_fields: Object.entries(fields).map(([field, value]) => ({ name: field, value })),
      ...members,
    });
    const accounts = [
      account('good', 'csv', { path: 'a.csv', hostname_field: 'host' }),
      account('later', 'vmware_vcenter'),
      account('pathless', 'csv'),
      account('child', 'csv', {}, { is_child: true, parent: oid(4) }),
      account('disabled', 'csv', {}, { enabled: false }),
    ];
    const { differences } = await check({ accounts });
    const about = (topic: string) => differences.find((difference) => difference.topic === topic)?.documents;
    expect(about('account_types')).toEqual([{ rule_type: 'accounts', name: 'later' }]);
    expect(about('account_options')).toEqual([
      { rule_type: 'accounts', name: 'pathless', message: 'options of a csv account: path is required' },
    ]);
  });

  it('tells of archived hosts and of relations what an import makes of them, whatever that is', async () => {
    const host_objects = [
      {
        _id: oid(1),
        hostname: 'gone',
        labels: {},
        lifecycle_state: 'archived',
        deleted_at: { $date: 1_700_000_000_000 },
      },
      {
        _id: oid(2),
        hostname: 'gone-here',
        labels: {},
        archived: { at: { $date: 1_700_000_000_000 }, by: 'operator' },
      },
      { _id: oid(3), hostname: 'there', labels: {} },
    ];
    const report = await check({ host_objects });
    await muster.run(importRules, { rules: { host_objects } });
    const isActive = (await muster.storage.hosts.find('gone'))?.archive === null;
    const told = report.differences.filter(({ topic }) => topic === 'archived_hosts');
    expect(told.flatMap(({ documents }) => documents.map(({ name }) => name))).toEqual(isActive ? ['gone'] : []);
  });

  it('options of requests, and how long archived hosts are kept', async () => {
    const account = (name: string, typ: string, fields: Record<string, string>) => ({
      _id: oid(name.length),
      name,
      typ,
      custom_fields: Object.entries(fields).map(([field, value]) => ({ name: field, value })),
    });
    const accounts = [
      account('plain', 'jira', { http_proxy: '', verify_cert: 'True' }),
      account('proxied', 'jira', { http_proxy: 'direct' }),
      account('open', 'jira', { verify_cert: 'False' }),
      account('daily', 'maintenance', {}),
      account('long', 'maintenance', { purge_archived_after_days: '90' }),
      account('never', 'maintenance', { purge_archived_after_days: '0' }),
    ];
    const { differences } = await check({ accounts });
    const about = (wanted: string) => differences.find(({ topic }) => topic === wanted)?.documents;
    expect(about('http_options')?.map(({ name }) => name)).toEqual(['proxied', 'open']);
    expect(about('archive_days')).toMatchObject([
      { name: 'daily', message: 'after 30 days' },
      { name: 'long', message: 'after 90 days' },
    ]);
  });

  it('tells of members that a type does not understand yet', async () => {
    const members = (type: string) => Object.keys(muster.app.services.plugins.ruleType(type)?.schema.properties ?? {});
    const rules = {
      accounts: [{ _id: oid(1), name: 'imports', typ: 'api', restrict_to: 'import' }],
      ansible_filter: [rule('F')],
      ansible_customvars: [rule('rows', { rule_source: 'list', list_source: 'hostname\nweb01' })],
      users: [
        {
          _id: oid(2),
          name: 'tess',
          pwdhash: SCRYPT,
          api_roles: ['objects'],
          roles: ['x'],
          restrict_to_templates: ['t'],
        },
      ],
    };
    const topics = Object.keys(await topicsOf(rules));
    expect(topics.includes('restricted_accounts')).toBe(!members('accounts').includes('restrict_to'));
    expect(topics.includes('pasted_lists')).toBe(!members('automation_customvars').includes('list_source'));
    const [tess] = (await check(rules)).users;
    expect(tess?.reaches).toBe('less');
  });

  it('says for each topic what it is and what to do', () => {
    for (const { what, action } of Object.values(DIFFERENCES)) expect(`${what} ${action}`).toMatch(/\. .*\.$/s);
  });
});

describe('a check of an export: secrets, jobs and users', () => {
  it('tells which secrets have to be entered, and which work as they are', async () => {
    const { secrets } = await check({
      accounts: [
        { _id: oid(1), name: 'sealed', typ: 'csv', password_crypted: FERNET },
        { _id: oid(2), name: 'clear', typ: 'csv', password: 'x' },
        { _id: oid(3), name: 'none', typ: 'csv' },
      ],
      cmk_passwords: [{ _id: oid(4), name: 'db', title: 'db', owner: 'o', shared: [], password_crypted: FERNET }],
      users: [
        { _id: oid(5), name: 'olga', pwdhash: SCRYPT, tfa_secret: 'JBSWY3DPEHPK3PXP', api_tokens: [{}] },
        { _id: oid(6), name: 'odd', pwdhash: 'md5$abc' },
        { _id: oid(7), name: 'ldap' },
      ],
    });
    expect(secrets.map(({ name, member, state }) => `${name} ${member} ${state}`)).toEqual([
      'sealed password_crypted enter',
      'clear password sealed',
      'db password_crypted enter',
      'olga pwdhash works',
      'olga tfa_secret sealed',
      'olga api_tokens works',
      'odd pwdhash reset',
      'ldap pwdhash missing',
    ]);
  });

  it('tells what each job does here, and which fail and why', async () => {
    const accounts = [
      { _id: oid(1), name: 'hosts', typ: 'csv' },
      { _id: oid(2), name: 'files', typ: 'json' },
    ];
    const job = (command: string, account?: object) => ({ name: command, command, ...(account && { account }) });
    const jobs = [
      job('CSV: Import Hosts', oid(1)),
      job('CSV: Import Hosts', oid(2)),
      job('CSV: Import Hosts'),
      job('CSV: Import Hosts', oid(9)),
      job('Checkmk: Export Rules', oid(1)),
      job('Nobody: Knows'),
      job('Syncer: Maintenence'),
    ];
    const { groups } = await check({ accounts, cron_groups: [{ _id: oid(3), name: 'nightly', enabled: true, jobs }] });
    expect(groups).toMatchObject([{ name: 'nightly', enabled: true }]);
    expect(groups[0]?.jobs.map(({ account, fails, becomes }) => [account, fails, becomes])).toEqual([
      ['hosts', false, 'Imports the hosts of an account from its source.'],
      ['files', true, expect.stringMatching(/works with accounts of type csv, and files is of type json/)],
      [null, true, expect.stringMatching(/needs an account/)],
      [oid(9).$oid, true, expect.stringMatching(/there is no account/)],
      ['hosts', true, expect.stringMatching(/needs a connector for Checkmk/)],
      [null, true, expect.stringMatching(/is not a registered job/)],
      [null, false, expect.stringMatching(/^Archives stale hosts/)],
    ]);
  });

  it('tells who reaches more or less', async () => {
    const user = (name: string, members: object) => ({ _id: oid(name.length), name, pwdhash: SCRYPT, ...members });
    const { users } = await check({
      users: [
        user('same', { api_roles: ['objects'], roles: ['host'] }),
        user('admin', { global_admin: true }),
        user('rest', { api_roles: ['objects', 'magic'], roles: [] }),
        user('pager', { api_roles: [], roles: ['host'] }),
        user('account', { api_roles: ['objects'], roles: ['host'], restrict_to_accounts: ['a'] }),
      ],
    });
    expect(Object.fromEntries(users.map(({ name, reaches }) => [name, reaches]))).toEqual({
      same: 'same',
      admin: 'same',
      rest: 'other',
      pager: 'less',
      account: 'less',
    });
    const reasons = users.flatMap((found) => found.reasons);
    expect(reasons.join(' ')).toMatch(
      /open the rooms of the pages.*the role magic is not known here.*grant nothing.*logs, rules/s,
    );
  });
});

describe('a check of an export of the reference', () => {
  it('names every type, every job, and no document twice', async () => {
    const report = await muster.run(checkExport, { lines: fixtureText('everything/export.jsonl') });
    const here = (ident: string) => ident.replace(/^ansible_/, 'automation_');
    const types = Object.keys(referenceFacts().types).map(here);
    expect(Object.keys(report.documents).sort()).toEqual(types.sort());
    const { import: imported, documents } = report;
    for (const [type, count] of Object.entries(documents)) {
      const told = (imported.imported[type] ?? 0) + (imported.duplicate[type] ?? 0) + (imported.invalid[type] ?? 0);
      expect([type, told]).toEqual([type, count]);
    }
    const commands = report.groups.flatMap(({ jobs }) => jobs.map(({ command }) => command));
    expect(new Set(commands)).toEqual(new Set(BUILTIN_JOB_NAMES.map(({ name }) => name)));
    expect(report.groups.flatMap(({ jobs }) => jobs).every(({ becomes }) => becomes !== '')).toBe(true);
    expect(report.secrets.filter(({ state }) => state === 'enter').length).toBeGreaterThan(50);
    expect(await muster.storage.rules.counts()).toEqual(new Map());
  });
});
