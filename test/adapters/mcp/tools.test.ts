import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { changeUser } from '../../../src/app/users/operations/change-user.ts';
import { PASSWORD, ToolService } from './tool-service.ts';

let service: ToolService;
beforeEach(async () => {
  service = await ToolService.start();
});
afterEach(() => service.stop());

const rule = (name: string, members: object = {}) => ({
  name,
  enabled: true,
  condition_typ: 'anyway',
  outcomes: [{ attribute_name: 'x', attribute_value: 'y' }],
  ...members,
});

describe('hosts', () => {
  it('are created, shown, changed and deleted', async () => {
    const input = { hostname: 'web1', account: 'crm', labels: { os: 'debian', 'a.b/c': 1 } };
    expect(await service.call('upsert_host', input)).toEqual({
      isError: false,
      value: { hostname: 'web1', status: 'saved' },
    });
    const section = { hostname: 'web1', key: 'facts', inventory: { cpu: { cores: 4 } } };
    expect((await service.call('update_host_inventory', section)).value).toEqual({ status: 'saved' });
    expect((await service.call('get_host', { hostname: 'web1' })).value).toEqual({
      hostname: 'web1',
      labels: { os: 'debian', 'a.b/c': 1 },
      inventory: { facts: { cpu: { cores: 4 } } },
      last_seen: '2026-03-01T12:00:00Z',
      last_update: '2026-03-01T12:00:00Z',
    });
    expect((await service.call('host_stats')).value).toMatchObject({ num_hosts: 1, num_objects: 0 });
    expect((await service.call('delete_host', { hostname: 'web1' })).value).toEqual({
      hostname: 'web1',
      status: 'deleted',
    });
    expect(await service.call('get_host', { hostname: 'web1' })).toMatchObject({
      isError: true,
      value: { code: 'not_found' },
    });
  });

  it('are shown by the members that were asked for', async () => {
    await service.call('upsert_host', { hostname: 'web1', account: 'crm', labels: { os: 'debian' } });
    for (const key of ['facts', 'dns']) {
      await service.call('update_host_inventory', { hostname: 'web1', key, inventory: { from: key } });
    }
    const show = async (fields: string[]) => (await service.call('get_host', { hostname: 'web1', fields })).value;
    expect(await show(['labels'])).toEqual({ hostname: 'web1', labels: { os: 'debian' } });
    expect(await show(['inventory.dns', 'last_seen'])).toEqual({
      hostname: 'web1',
      inventory: { dns: { from: 'dns' } },
      last_seen: '2026-03-01T12:00:00Z',
    });
    const refused = await service.call('get_host', { hostname: 'web1', fields: ['os'] });
    expect(refused).toMatchObject({ isError: true, value: { code: 'invalid_input' } });
    expect(refused.value.message).toContain('inventory.<section>');
    const page = await service.call('list_hosts', { fields: ['labels'] });
    expect(page.value.results).toEqual([{ hostname: 'web1', labels: { os: 'debian' } }]);
  });

  it('are listed from the first one on, a page at a time', async () => {
    for (const hostname of ['a', 'b', 'c']) await service.call('upsert_host', { hostname, account: 'crm', labels: {} });
    const page = async (given: object) => {
      const { value } = await service.call('list_hosts', given);
      return [value.results.map((host: { hostname: string }) => host.hostname), value.start, value.limit, value.size];
    };
    expect(await page({})).toEqual([['a', 'b', 'c'], 0, 100, 3]);
    expect(await page({ start: 1, limit: 1 })).toEqual([['b'], 1, 1, 3]);
    expect(await page({ limit: 0 })).toEqual([[], 0, 0, 3]);
    expect(await page({ start: 7 })).toEqual([[], 7, 100, 3]);
  });

  it('come in one listing, however many steps it takes', async () => {
    const names = Array.from({ length: 130 }, (_, index) => `h${String(index).padStart(3, '0')}`);
    const client = await service.client();
    for (const hostname of names) {
      await client.callTool({ name: 'upsert_host', arguments: { hostname, account: 'crm', labels: {} } });
    }
    const { value } = await service.call('list_hosts', { start: 5, limit: 120 });
    expect(value.results.map((host: { hostname: string }) => host.hostname)).toEqual(names.slice(5, 125));
    expect(value.truncated).toBeUndefined();
  });

  it('of another account are refused as REST refuses them', async () => {
    await service.addAccount('dcim');
    await service.call('upsert_host', { hostname: 'web1', account: 'crm', labels: { a: 1 } });
    expect(await service.call('upsert_host', { hostname: 'web1', account: 'dcim', labels: {} })).toMatchObject({
      isError: true,
      value: { status: 'account_conflict', code: 'account_conflict' },
    });
    expect((await service.call('get_host', { hostname: 'web1' })).value.labels).toEqual({ a: 1 });
    const unknown = await service.call('upsert_host', { hostname: 'web1', account: 'nope', labels: {} });
    expect(unknown).toMatchObject({ isError: true, value: { code: 'invalid_input' } });
    const nowhere = { hostname: 'web9', key: 'facts', inventory: {} };
    expect((await service.call('update_host_inventory', nowhere)).value.code).toBe('not_found');
  });
});

describe('accounts', () => {
  it('are listed without secrets', async () => {
    await service.addAccount('dcim', { disabled: true, password: 'hunter22' });
    expect((await service.call('list_accounts')).value).toEqual({
      accounts: [
        { name: 'crm', type: 'api', enabled: true },
        { name: 'dcim', type: 'api', enabled: false },
      ],
    });
  });

  it('are shown with their secrets in clear, and each time the logs say so', async () => {
    await service.addAccount('dcim', { password: 'hunter22', settings: { username: 'u', token: 'abc' } });
    const { value } = await service.call('get_account', { name: 'dcim' });
    expect(value).toMatchObject({ name: 'dcim', username: 'u', password: 'hunter22', options: { token: 'abc' } });
    await service.app.services.audit.settled();
    const audit = await service.storage.audit.latest({ limit: 1, operation: 'accounts/get-account' });
    expect(audit).toMatchObject([{ actor: 'root', subject: 'dcim', outcome: 'done', entrance: 'mcp' }]);
    const [entry] = await service.storage.logs.latest({ limit: 1 });
    expect(entry).toMatchObject({ source: 'API', hasError: false });
    expect(entry?.message).toContain('root read account dcim');
    expect(JSON.stringify([entry, service.log])).not.toContain('hunter22');
  });
});

describe('rules', () => {
  it('of all types are named', async () => {
    expect((await service.call('list_rule_types')).value.rule_types).toContain('custom_attributes');
  });

  it('are created once, replaced on request, and refused with the reason', async () => {
    const create = async (document: object, override = false) =>
      (await service.call('create_rule', { rule_type: 'custom_attributes', rule: document, override })).value;
    expect(await create(rule('one'))).toEqual({ rule_type: 'custom_attributes', status: 'imported' });
    expect(await create(rule('one'))).toEqual({ rule_type: 'custom_attributes', status: 'duplicate' });
    expect((await create(rule('one', { sort_field: 7 }), true)).status).toBe('imported');
    const invalid = await create({ name: 'two', enabled: true });
    expect(invalid.status).toBe('invalid');
    expect(invalid.details[0]).toMatchObject({ name: 'two', path: 'condition_typ' });
    const { value } = await service.call('export_rules', { rule_type: 'custom_attributes' });
    expect(
      value.rules.map((document: { name: string; sort_field: number }) => [document.name, document.sort_field]),
    ).toEqual([['one', 7]]);
  });

  it('of a type that there is not are an error that names those that there are', async () => {
    for (const [name, given] of [
      ['export_rules', { rule_type: 'nope' }],
      ['create_rule', { rule_type: 'nope', rule: {} }],
    ] as const) {
      const { isError, value } = await service.call(name, given);
      expect([isError, value.code], name).toEqual([true, 'not_found']);
      expect(value.message).toContain('custom_attributes');
    }
  });

  it('go out and come back in, whichever form they have', async () => {
    await service.call('create_rule', { rule_type: 'custom_attributes', rule: rule('one') });
    const exported = (await service.call('export_all_rules')).value;
    expect(exported.rules.custom_attributes).toHaveLength(1);
    expect(exported.rules).not.toHaveProperty('users');
    const again = (payload: unknown, override = false) => service.call('import_rules_bulk', { payload, override });
    expect((await again(exported)).value).toMatchObject({ total: 0, duplicate: { custom_attributes: 1 } });
    expect((await again(exported, true)).value).toMatchObject({ total: 1, imported: { custom_attributes: 1 } });
    expect((await again(JSON.stringify(exported, null, 1))).value.duplicate.custom_attributes).toBe(1);
    const two = { rule_type: 'custom_attributes', rules: [rule('two')] };
    expect((await again(two)).value.imported).toEqual({ custom_attributes: 1 });
    const lines = `{"rule_type":"custom_attributes"}\n${JSON.stringify(rule('three'))}\n`;
    expect((await again(lines)).value.imported).toEqual({ custom_attributes: 1 });
    expect((await again({ nothing: 1 })).value.code).toBe('invalid_input');
    // Documents of types that nobody knows are kept, and refuse nothing else.
    expect((await again({ rules: { nope: [{ name: 'x' }] } })).value).toMatchObject({ total: 0, kept: { nope: 1 } });
  });

  it('with users and accounts are there only when they are asked for', async () => {
    const ask = async (given: object) => Object.keys((await service.call('export_all_rules', given)).value.rules);
    expect(await ask({})).not.toContain('accounts');
    expect(await ask({ include_accounts: true, include_users: true, include_hosts: true })).toEqual(
      expect.arrayContaining(['accounts', 'users', 'host_objects']),
    );
  });

  it('are made by the autorules', async () => {
    await service.call('upsert_host', { hostname: 'web1', account: 'crm', labels: {} });
    const body = '{"name": "made-{{ HOSTNAME }}", "condition_typ": "anyway", "outcomes": []}';
    const autorule = {
      name: 'auto',
      enabled: true,
      object_filter: 'host',
      rule_type: 'custom_attributes',
      rule_body: body,
    };
    await service.operate(importRules, { rules: { syncer_rule_automation: [autorule] } });
    expect((await service.call('run_autorules')).value).toEqual({ status: 'ok' });
    const { value } = await service.call('export_rules', { rule_type: 'custom_attributes' });
    expect(value.rules.map((document: { name: string }) => document.name)).toEqual(['made-web1']);
  });
});

describe('logs and cron groups', () => {
  it('logs come newest first', async () => {
    for (const [second, message] of ['old', 'new'].entries()) {
      await service.storage.logs.append({
        id: `${second}`.repeat(24),
        at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
        message,
        source: 'test',
        details: [],
        hasError: false,
      });
    }
    const messages = async (given: object) =>
      (await service.call('get_recent_logs', given)).value.logs.map((entry: { message: string }) => entry.message);
    expect(await messages({})).toEqual(['new', 'old']);
    expect(await messages({ limit: 1 })).toEqual(['new']);
    expect(await messages({ start: 1 })).toEqual(['old']);
    expect(await messages({ limit: 0 })).toEqual([]);
  });

  it('cron groups are shown and triggered', async () => {
    const group = { name: 'nightly', enabled: true, interval: 'daily', jobs: [{ name: 'm', command: 'Maintenance' }] };
    await service.operate(importRules, { rules: { cron_groups: [group] } });
    expect((await service.call('get_cron_status')).value.groups).toMatchObject([
      { name: 'nightly', last_start: null, is_running: false },
    ]);
    expect((await service.call('trigger_cron_group', { group_name: 'nightly' })).value).toMatchObject({
      status: 'triggered',
      group: 'nightly',
    });
    expect((await service.call('trigger_cron_group', { group_name: 'nope' })).value.code).toBe('not_found');
  });
});

describe('a long call', () => {
  it('tells a client that asks for it how far it is', async () => {
    await service.call('upsert_host', { hostname: 'web1', account: 'crm', labels: {} });
    const autorule = {
      name: 'auto',
      enabled: true,
      object_filter: 'host',
      rule_type: 'custom_attributes',
      rule_body: '{}',
    };
    await service.operate(importRules, { rules: { syncer_rule_automation: [autorule] } });
    const client = await service.client();
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
    await client.callTool({ name: 'run_autorules', arguments: {} }, undefined, { onprogress });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  });
});

describe('a fault', () => {
  it('shows nothing of itself, and the log has it under the id that the client got', async () => {
    await service.stop();
    service = await ToolService.start({}, (storage) => ({
      ...storage,
      hosts: Object.assign(Object.create(storage.hosts), {
        counters: () => Promise.reject(new Error('secret path /srv/x')),
      }),
    }));
    const { isError, value } = await service.call('host_stats');
    expect([isError, value.code]).toEqual([true, 'internal']);
    expect(value.message).not.toContain('/srv/x');
    const [line] = service.log.filter(({ level }) => level === 'error');
    expect(String(line?.fields.requestId)).not.toBe('');
    expect(value.message).toContain(String(line?.fields.requestId));
  });
});

describe('a user who changes', () => {
  it('has at the next call what the user holds then', async () => {
    const client = await service.client();
    const call = () =>
      client.callTool({ name: 'upsert_host', arguments: { hostname: 'a', account: 'crm', labels: {} } });
    expect((await call()).isError).toBeFalsy();
    await service.operate(changeUser, { name: 'root', read_only: true, password: PASSWORD });
    expect(JSON.stringify((await call()).content)).toContain('read_only');
  });
});
