import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildHttpApp } from '../../../src/adapters/http/app.ts';
import { operationRoutes } from '../../../src/adapters/http/route.ts';
import { TOOLS } from '../../../src/adapters/mcp/tools/all.ts';
import { OPERATIONS } from '../../../src/app/catalogue/operations.ts';
import { basic, callTool, ToolService } from './tool-service.ts';

let service: ToolService;
beforeEach(async () => {
  service = await ToolService.start();
});
afterEach(() => service.stop());

/** They show hosts of all accounts. */
const OF_ADMINISTRATORS = new Set(['list_plans', 'show_plan', 'apply_plan']);

describe('the role mcp', () => {
  it('is what every tool needs, whatever REST wants', async () => {
    await service.addUser('others', { roles: ['objects', 'rules', 'syncer', 'automation', 'metrics'], admin: true });
    await service.addUser('every', { roles: ['all'] });
    const clients = {
      others: await service.client('others'),
      root: await service.client(),
      every: await service.client('every'),
    };
    for (const { name } of TOOLS) {
      const isMissing = (await callTool(clients.others, name, {})).value.code === 'role_missing';
      expect(isMissing, name).toBe(!OF_ADMINISTRATORS.has(name));
      const missing = async (client: typeof clients.root) =>
        (await callTool(client, name, {})).value.code === 'role_missing';
      expect(await missing(clients.root), name).toBe(OF_ADMINISTRATORS.has(name));
      expect(await missing(clients.every), name).toBe(false);
    }
  });

  it('is not blamed where an administrator is needed', async () => {
    const { value } = await callTool(await service.client(), 'list_plans', {});
    expect(value.message).toBe('User has no api_role granting /mcp; "Plans" is for administrators');
  });

  it('opens no path of REST', async () => {
    await service.stop();
    // One refusal a path, and there are more paths than refusals in a minute.
    service = await ToolService.start({ CMDB_MODE: true, RATE_LIMIT_401_PER_MINUTE: 1_000 });
    const app = buildHttpApp({ version: '0.0.0' }, service.app);
    for (const { method, path, operation } of operationRoutes(OPERATIONS, { CMDB_MODE: true })) {
      // The webhook takes credentials of its own, after it has told whether the group exists.
      if (operation.roles === 'decided-by-operation') continue;
      const url = path.replaceAll(/:\w+/g, 'x');
      const answer = await app.inject({ method, url, headers: { authorization: basic('root') } });
      expect([answer.statusCode, answer.json().code], `${method} ${url}`).toEqual([401, 'role_missing']);
    }
    await app.close();
  });

  it('opens no operation that is no tool, not even to administrators', async () => {
    await service.addUser('boss', { roles: ['all'], admin: true });
    const caller = await service.callerOf('boss');
    for (const operation of OPERATIONS) {
      const attempt = () => service.app.executor.authorise(operation, caller);
      if (operation.at.tool !== undefined) expect(attempt, operation.name).not.toThrow();
      else expect(attempt, operation.name).toThrow(expect.objectContaining({ code: 'role_missing' }));
    }
  });
});

describe('read-only users', () => {
  it('may call what reads, and no secrets', async () => {
    await service.addUser('reader', { read_only: true });
    const client = await service.client('reader');
    for (const { name, hints } of TOOLS) {
      const given = name === 'get_account' ? { name: 'crm' } : {};
      const { value } = await callTool(client, name, given);
      const allowed = hints.readOnlyHint && name !== 'get_account';
      const refusal = OF_ADMINISTRATORS.has(name) ? 'role_missing' : allowed ? undefined : 'read_only';
      const isRefused = ['read_only', 'role_missing'].includes(value.code);
      expect(isRefused ? value.code : undefined, name).toBe(refusal);
    }
  });

  it('are listed only what reads', async () => {
    await service.addUser('reader', { read_only: true });
    const { tools } = await (await service.client('reader')).listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['list_hosts', 'get_host', 'export_rules']));
    expect(names).not.toEqual(expect.arrayContaining(['upsert_host']));
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    const { tools: all } = await (await service.client()).listTools();
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['upsert_host', 'delete_host']));
  });

  it('who ask for secrets of an account stand in the audit log', async () => {
    await service.addUser('reader', { read_only: true });
    await service.call('get_account', { name: 'crm' }, 'reader');
    await service.app.services.audit.settled();
    const [entry] = await service.storage.audit.latest({ limit: 1, operation: 'accounts/get-account' });
    expect(entry).toMatchObject({ actor: 'reader', outcome: 'read_only', subject: 'crm' });
  });
});

describe('account scope', () => {
  it('holds for every tool and resource', async () => {
    await service.addAccount('dcim', { password: 'hunter22' });
    await service.addUser('scoped', { accounts: ['crm'] });
    await service.call('upsert_host', { hostname: 'mine', account: 'crm', labels: {} });
    await service.call('upsert_host', { hostname: 'theirs', account: 'dcim', labels: {} });
    const client = await service.client('scoped');
    const ask = async (name: string, given = {}) => (await callTool(client, name, given)).value;
    expect((await ask('list_hosts')).results.map((host: { hostname: string }) => host.hostname)).toEqual(['mine']);
    expect((await ask('list_hosts')).size).toBe(1);
    expect((await ask('host_stats')).num_hosts).toBe(1);
    expect((await ask('list_accounts')).accounts).toEqual([{ name: 'crm', type: 'api', enabled: true }]);
    for (const [name, given] of [
      ['get_host', { hostname: 'theirs' }],
      ['delete_host', { hostname: 'theirs' }],
      ['update_host_inventory', { hostname: 'theirs', key: 'k', inventory: {} }],
      ['get_account', { name: 'dcim' }],
    ] as const) {
      expect((await ask(name, given)).code, name).toBe('not_found');
    }
    expect((await ask('upsert_host', { hostname: 'new', account: 'dcim', labels: {} })).code).toBe('forbidden');
    const accounts = (await ask('export_rules', { rule_type: 'accounts' })).rules;
    expect(accounts.map((account: { name: string }) => account.name)).toEqual(['crm']);
    await expect(client.readResource({ uri: 'service://hosts/theirs' })).rejects.toMatchObject({ code: -32002 });
  });
});

describe('secrets of users', () => {
  it('are what REST shows of them to such a caller, as resource and as tool', async () => {
    await service.addUser('scoped', { roles: ['mcp', 'rules'], accounts: ['crm'] });
    const app = buildHttpApp({ version: '0.0.0' }, service.app);
    const rest = await app.inject({ url: '/api/v1/rules/users', headers: { authorization: basic('scoped') } });
    await app.close();
    const client = await service.client('scoped');
    const { contents } = await client.readResource({ uri: 'service://rules/users' });
    expect(contents[0]).toMatchObject({ text: rest.body });
    expect((await callTool(client, 'export_rules', { rule_type: 'users' })).value).toEqual(rest.json());
    expect(rest.json().rules.map((user: { name: string }) => user.name)).toEqual(['scoped']);
  });
});
