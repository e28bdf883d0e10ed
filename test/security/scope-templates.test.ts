import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { addRelation } from '../../src/app/relations/operations/add-relation.ts';
import { exportRules } from '../../src/app/rules/operations/export-rules.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { Entrances } from './support/entrances.ts';
import { THOROUGH_STORES } from './support/two-stores.ts';

const LINUX_ID = 'dddddddddddddddddddddddd';
const SECTION = { key: 'hw', inventory: { cores: 4 } };

/** `scope-operations.test.ts` walks every operation; here are the entrances, with the statuses that users of theirs know. */
describe.each(THOROUGH_STORES)('who is restricted to templates, %s', (_store, create) => {
  let entrances: Entrances;

  const objects = (path: string, payload?: object, method: 'GET' | 'POST' | 'DELETE' = payload ? 'POST' : 'GET') =>
    entrances.rest('limited', { method, url: `/api/v1/objects/${path}`, ...(payload && { payload }) });
  const rules = (path: string, payload: object, user = 'limited') =>
    entrances.rest(user, { method: 'POST', url: `/api/v1/rules/${path}`, payload });
  const page = async (operation: string, input: object) =>
    entrances.page(await entrances.cookieOf('limited'), operation, input);

  async function stored(hostname: string): Promise<string | undefined> {
    return (await entrances.muster.storage.hosts.find(hostname))?.labels.text;
  }

  async function everything(): Promise<string> {
    const flags = { include_hosts: true, include_accounts: true, include_users: true, include_passwords: true };
    const { rules: stored }: { rules: object } = await entrances.muster.read(exportRules, flags);
    return JSON.stringify(stored);
  }

  beforeAll(async () => {
    entrances = await Entrances.over(create, { CMDB_MODE: true });
    const { muster } = entrances;
    await muster.addAccounts('mine', 'other');
    await muster.run(importRules, {
      rules: {
        cmdb_templates: [
          { _id: { $oid: LINUX_ID }, hostname: 'linux', labels: { os: 'linux' } },
          { hostname: 'windows', labels: {}, cmdb_match: 'os:windows' },
          { hostname: 'gone', labels: {}, lifecycle_state: 'archived' },
        ],
        host_objects: [
          { hostname: 'own', account: 'mine', labels: {}, cmdb_templates: [{ $oid: LINUX_ID }] },
          { hostname: 'own2', account: 'other', labels: {}, cmdb_templates: ['linux', 'windows'] },
          { hostname: 'foreign', account: 'mine', labels: {}, cmdb_templates: ['windows', 'gone', 'nowhere'] },
          // Its label matches a template: that gives it labels and no readers.
          { hostname: 'matching', account: 'mine', labels: { os: 'windows' } },
        ],
      },
    });
    await muster.run(saveHost, { hostname: 'plain', account: 'mine', labels: {} });
    await muster.run(addRelation, { hostname: 'own', type: 'runs_on', target: 'foreign' });
    const roles = ['all'];
    await muster.addCaller('root', { roles, admin: true });
    await muster.addCaller('limited', { roles, templates: ['linux'] });
    await muster.addCaller('both', { roles, templates: ['linux'], accounts: ['mine'] });
    await muster.run(importRules, {
      rules: {
        users: [
          { name: 'by-id', api_roles: roles, restrict_to_templates: [{ $oid: LINUX_ID }] },
          { name: 'unknown', api_roles: roles, restrict_to_templates: ['nowhere'] },
          { name: 'archived', api_roles: roles, restrict_to_templates: ['gone'] },
          { name: 'empty', api_roles: roles, restrict_to_templates: [] },
        ],
      },
    });
  });

  afterAll(() => entrances.stop());

  async function hostsOf(name: string): Promise<unknown> {
    const user = await entrances.muster.app.services.users.byName(name);
    if (user === undefined) throw new Error(`no user ${name}`);
    const identity = await entrances.muster.app.services.users.identityOf(user);
    const scope =
      identity.scope === null && identity.templates === null
        ? null
        : { accounts: identity.scope, templates: identity.templates };
    const filter = { scope, kind: 'hosts', state: 'active' } as const;
    return (await entrances.muster.storage.hosts.page({ filter, offset: 0, limit: 100 })).map(
      ({ hostname }) => hostname,
    );
  }

  it('reaches hosts that name a template of theirs, and an account of theirs too where there is one', async () => {
    expect(await hostsOf('limited')).toEqual(['own', 'own2']);
    expect(await hostsOf('by-id')).toEqual(['own', 'own2']);
    expect(await hostsOf('both')).toEqual(['own']);
    expect(await hostsOf('unknown')).toEqual([]);
    expect(await hostsOf('archived')).toEqual([]);
    expect(await hostsOf('empty')).toHaveLength(5);
  });

  it('reads other hosts nowhere by REST: they are unknown', async () => {
    expect((await objects('all?start=0')).body).toMatchObject({
      size: 2,
      results: [{ hostname: 'own' }, { hostname: 'own2' }],
    });
    for (const host of ['foreign', 'matching', 'plain', 'unknown']) {
      const attempts = [
        await objects(host),
        await objects(host, undefined, 'DELETE'),
        await objects(`${host}/relations`),
        await objects(`${host}/explain`),
        await objects(`${host}/inventory`, SECTION),
        await objects(`${host}/relations`, { type: 'depends_on', target: 'own' }),
        await objects('own/relations', { type: 'depends_on', target: host }),
        await entrances.rest('limited', { url: `/api/v1/inventory/automation/automation?host=${host}` }),
      ];
      expect([host, ...attempts.map(({ code }) => code)]).toEqual([host, ...attempts.map(() => 'not_found')]);
    }
    expect((await objects('own/relations')).body).toMatchObject({ outgoing: [] });
    expect((await entrances.rest('limited', { url: '/api/v1/syncer/hosts' })).body).toMatchObject({ num_hosts: 2 });
    const { body } = await entrances.rest('limited', { url: '/api/v1/inventory/automation/automation' });
    expect(Object.keys(body._meta.hostvars)).toEqual(['own', 'own2']);
  });

  it('is told of no account that hosts are exported to', async () => {
    await entrances.muster.run(addAccount, { name: 'elsewhere', type: 'json_file', settings: { path: 'hosts.json' } });
    expect((await objects('own/explain')).body).toMatchObject({ targets: [] });
    for (const target of ['elsewhere', 'mine', 'nowhere'])
      expect(await objects(`own/explain?target=${target}`)).toMatchObject({ code: 'not_found' });
  });

  it('writes own hosts, and creates none: 403 account_conflict, whether there is such a host or not', async () => {
    expect((await objects('own', { account: 'mine', labels: { a: '1' } })).body).toEqual({ status: 'saved' });
    expect(await stored('own')).toBe('{"a":"1"}');
    const refusals = [];
    for (const host of ['foreign', 'plain', 'new']) {
      const before = await stored(host);
      const attempts = [
        await objects(host, { account: 'mine', labels: { a: '1' } }),
        await entrances.tool('limited', 'upsert_host', { hostname: host, account: 'mine', labels: { a: '1' } }),
        await page('hosts/save-host', { hostname: host, account: 'mine', labels: { a: '1' } }),
      ];
      expect(attempts.map(({ code }) => code)).toEqual(attempts.map(() => 'account_conflict'));
      refusals.push(attempts[0]?.text.replaceAll(host, 'X').replace(/"request_id":"[^"]*"/, ''));
      expect(await stored(host)).toBe(before);
    }
    expect(new Set(refusals).size).toBe(1);
    const labels = { b: '2' };
    const bulk = ['own', 'foreign', 'new', 'own'].map((hostname) => ({ hostname, labels }));
    const saved = await objects('bulk', { account: 'mine', objects: bulk });
    expect(saved.body).toEqual({ status: 'saved 2', 'not-saved': ['foreign', 'new'] });
    expect([await stored('own'), await stored('foreign'), await stored('new')]).toEqual(['{"b":"2"}', '{}', undefined]);
    const inventories = ['own', 'foreign', 'new'].map((hostname) => ({ hostname, ...SECTION }));
    expect((await objects('bulk/inventory', { inventories })).text).toMatch(/"not-found":\["foreign","new"\]/);
  });

  it('reads and writes nothing else by tools and pages', async () => {
    expect(await entrances.tool('limited', 'get_host', { hostname: 'foreign' })).toMatchObject({ code: 'not_found' });
    expect((await entrances.tool('limited', 'list_hosts', {})).text).not.toContain('foreign');
    expect((await page('search/search-hosts', {})).body.hosts).toMatchObject([
      { hostname: 'own' },
      { hostname: 'own2' },
    ]);
    expect((await page('search/search-hosts', { account: 'mine' })).body).toMatchObject({ size: 1 });
    expect((await page('search/search-hosts', { where: 'f' })).body.hosts).toEqual([]);
    expect(await page('hosts/show-host', { hostname: 'foreign' })).toMatchObject({ code: 'not_found' });
    expect((await page('hosts/host-counters', {})).body).toMatchObject({ num_hosts: 2 });
  });

  it('is refused documents that act on hosts of others, whatever is in them', async () => {
    const before = await everything();
    for (const type of entrances.muster.app.services.plugins.ruleTypes()) {
      if (type.templatesOf !== undefined) continue;
      const document = { name: 'x', hostname: 'x' };
      const attempts = [
        await rules(`${type.id}?override=1`, [document]),
        await rules(`${type.id}?dry_run=1`, [document]),
        await rules('import', { rules: { [type.id]: [document] } }),
        await entrances.tool('limited', 'create_rule', { rule_type: type.id, rule: document, override: true }),
        await page('rules/save-rule', { rule_type: type.id, document }),
      ];
      expect([type.id, ...attempts.map(({ code }) => code)]).toEqual([type.id, ...attempts.map(() => 'forbidden')]);
      expect(attempts[0]?.text).toContain('act on hosts of all templates, and you are restricted to some');
    }
    expect(await everything()).toBe(before);
  });

  it('imports host documents of own templates only, and gives no host another one', async () => {
    const before = await everything();
    for (const document of [
      { hostname: 'foreign', account: 'mine', cmdb_templates: ['linux'] },
      { hostname: 'plain', account: 'mine', cmdb_templates: ['linux'] },
      { hostname: 'own', account: 'mine', cmdb_templates: ['windows'] },
      { hostname: 'own', account: 'mine', cmdb_templates: ['linux', 'windows'] },
      { hostname: 'own', account: 'mine' },
      { hostname: 'new', account: 'mine' },
      { hostname: 'new', account: 'mine', cmdb_templates: 'linux' },
      { hostname: 'new', account: 'mine', cmdb_templates: ['linux'], relations: [{ type: 'a', target: 'foreign' }] },
    ]) {
      const attempt = await rules('host_objects?override=1', document);
      expect([JSON.stringify(document), attempt.body.imported ?? 0]).toEqual([JSON.stringify(document), 0]);
    }
    expect(await everything()).toBe(before);
    const { body } = await entrances.rest('limited', { url: '/api/v1/rules/host_objects' });
    expect(body.rules.map(({ hostname }: { hostname: string }) => hostname)).toEqual(['own', 'own2']);
    expect((await rules('host_objects?override=1', body.rules)).body).toMatchObject({ imported: 2 });
    expect(JSON.parse(await everything()).host_objects).toEqual(JSON.parse(before).host_objects);
    const fresh = { hostname: 'fresh', account: 'mine', labels: {}, cmdb_templates: [{ $oid: LINUX_ID }] };
    expect((await rules('host_objects', fresh)).body).toMatchObject({ imported: 1 });
    expect((await objects('fresh', undefined, 'DELETE')).ok).toBe(true);
  });

  it('gives users the own templates only, and does not widen itself', async () => {
    const before = await everything();
    for (const document of [
      { name: 'free', api_roles: ['objects'] },
      { name: 'wide', api_roles: ['objects'], restrict_to_templates: ['linux', 'windows'] },
      { name: 'limited', api_roles: ['all'] },
      { name: 'root', api_roles: ['all'], restrict_to_templates: ['linux'] },
    ]) {
      expect([document.name, (await rules('users?override=1', document)).code]).toEqual([document.name, 'forbidden']);
    }
    expect(await everything()).toBe(before);
    const colleague = { name: 'colleague', api_roles: ['objects'], restrict_to_templates: ['linux'] };
    expect((await rules('users', colleague)).body).toMatchObject({ imported: 1 });
    const seen = await entrances.rest('limited', { url: '/api/v1/rules/users' });
    expect(seen.body.rules.map(({ name }: { name: string }) => name).sort()).toEqual(['both', 'colleague', 'limited']);
  });

  it('is no administrator, and no administrator is restricted', async () => {
    expect(await page('users/list-users', {})).toMatchObject({ code: 'role_missing' });
    const both = { name: 'chief', global_admin: true, restrict_to_templates: ['linux'] };
    const attempt = await rules('users', both, 'root');
    expect(attempt.text).toContain('an administrator reaches the hosts of all templates');
  });

  it('is told what it reaches, and sees what it reaches change at once', async () => {
    const cookie = await entrances.cookieOf('limited');
    const session = await entrances.http.inject({ url: '/admin/api/session', headers: { cookie } });
    expect(session.json()).toMatchObject({ accounts: null, templates: ['linux'], admin: false });
    const template = { _id: { $oid: LINUX_ID }, hostname: 'linux', labels: {}, enabled: false };
    expect((await rules('cmdb_templates?override=1', template, 'root')).ok).toBe(true);
    expect((await objects('all?start=0')).body).toMatchObject({ size: 0 });
    await rules('cmdb_templates?override=1', { ...template, enabled: true }, 'root');
    expect((await objects('all?start=0')).body).toMatchObject({ size: 2 });
  });
});
