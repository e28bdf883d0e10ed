import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { InjectOptions } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildHttpApp } from '../../../src/adapters/http/app.ts';
import type { ToolApp } from '../../../src/adapters/mcp/network/app.ts';
import type { Config } from '../../../src/app/kernel/config/schema.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { changeUser } from '../../../src/app/users/operations/change-user.ts';
import { newToken } from '../../../src/app/users/token.ts';
import { basic, callTool, PASSWORD, ToolService } from './tool-service.ts';

const REMOTE = '192.0.2.7';
const HEADERS = {
  host: 'localhost',
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

let service: ToolService;
let tools: ToolApp;
beforeEach(() => start());
afterEach(() => service.stop());

async function start(config: Partial<Config> = {}): Promise<void> {
  service = await ToolService.start(config);
  tools = service.network();
}

async function restart(config: Partial<Config>): Promise<void> {
  await service.stop();
  await start(config);
}

/** A ping over `/mcp`, by root from this machine unless the test says otherwise. */
function ask({ user = 'root', headers, ...rest }: InjectOptions & { user?: string | null } = {}) {
  const authorization = user === null ? {} : { authorization: basic(user) };
  return tools.app.inject({
    method: 'POST',
    url: '/mcp',
    payload: PING,
    ...rest,
    headers: { ...HEADERS, ...authorization, ...headers },
  });
}

async function listen(): Promise<string> {
  await tools.app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(tools.app.server.address() as AddressInfo).port}`;
}

const ENTRANCES = [
  { method: 'GET', url: '/sse' },
  { method: 'POST', url: '/messages/?session_id=x' },
  { method: 'POST', url: '/messages/x' },
  { method: 'POST', url: '/mcp' },
  { method: 'GET', url: '/mcp' },
  { method: 'GET', url: '/nothing' },
] as const;

const REALM = 'Basic realm="muster"';
const UNAUTHENTICATED = [401, 'unauthenticated', REALM];
const INSECURE = [401, 'insecure_transport', REALM];

describe.each(ENTRANCES)('$method $url', (entrance) => {
  const refusal = async (options: Parameters<typeof ask>[0]) => {
    const answer = await ask({ ...entrance, ...options });
    return [answer.statusCode, answer.json().code, answer.headers['www-authenticate'] ?? 'no way to log in'];
  };

  it('asks for credentials', async () => {
    expect(await refusal({ user: null })).toEqual(UNAUTHENTICATED);
    expect(await refusal({ headers: { authorization: basic('root', 'wrong') } })).toEqual(UNAUTHENTICATED);
  });

  it('refuses users without the role', async () => {
    await service.addUser('objects', { roles: ['objects', 'rules', 'syncer'] });
    expect(await refusal({ user: 'objects' })).toEqual([401, 'role_missing', REALM]);
  });

  it('refuses plain HTTP from elsewhere', async () => {
    expect(await refusal({ remoteAddress: REMOTE })).toEqual(INSECURE);
    expect(await refusal({ remoteAddress: REMOTE, headers: { host: '198.51.100.1:8765' } })).toEqual(INSECURE);
  });

  it('refuses foreign names and pages, whoever asks', async () => {
    for (const headers of [{ host: 'evil.example' }, { origin: 'https://evil.example' }]) {
      expect(await refusal({ headers })).toEqual([403, 'forbidden', 'no way to log in']);
      expect(await refusal({ headers, user: null })).toEqual([403, 'forbidden', 'no way to log in']);
    }
  });
});

describe('access', () => {
  it('is given to tokens and to local clients, and to remote ones behind a proxy that spoke HTTPS', async () => {
    expect((await ask()).statusCode).toBe(200);
    expect((await ask({ remoteAddress: '::1' })).statusCode).toBe(200);
    const token = newToken();
    const tokens = [{ prefix: token.prefix, hash: token.hash, label: 'x' }];
    const users = [{ name: 'robot', api_roles: ['mcp'], api_tokens: tokens }];
    await service.operate(importRules, { rules: { users } });
    expect((await ask({ headers: { authorization: `Bearer ${token.token}` } })).statusCode).toBe(200);
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': REMOTE };
    expect((await ask({ remoteAddress: REMOTE, headers: forwarded })).statusCode).toBe(401);
    await restart({ TRUSTED_PROXIES: 1 });
    expect((await ask({ remoteAddress: '127.0.0.1', headers: forwarded })).statusCode).toBe(200);
    await restart({ ALLOW_INSECURE_API_AUTH: true });
    expect((await ask({ remoteAddress: REMOTE })).statusCode).toBe(200);
  });

  it('ends when the user changes', async () => {
    expect((await ask()).statusCode).toBe(200);
    await service.operate(changeUser, { name: 'root', disabled: true });
    expect((await ask()).statusCode).toBe(401);
  });

  it('is limited together with REST', async () => {
    await restart({ RATE_LIMIT_401_PER_MINUTE: 2 });
    const rest = buildHttpApp({ version: '0.0.0' }, service.app);
    const wrong = { authorization: basic('root', 'wrong') };
    await rest.inject({ url: '/api/v1/rules/types', headers: wrong });
    expect((await ask({ headers: wrong })).statusCode).toBe(401);
    expect((await ask({ headers: wrong })).statusCode).toBe(429);
    expect((await ask({ headers: wrong })).headers['retry-after']).toMatch(/^\d+$/);
    expect((await rest.inject({ url: '/api/v1/rules/types', headers: wrong })).statusCode).toBe(429);
    await rest.close();
  });

  it('that is refused stands in the audit log with its entrance', async () => {
    await service.addUser('objects', { roles: ['objects'] });
    await ask({ user: 'objects' });
    await service.app.services.audit.settled();
    const [entry] = await service.storage.audit.latest({ limit: 1, actor: 'objects' });
    expect(entry).toMatchObject({ entrance: 'mcp', operation: '/mcp', outcome: 'role_missing', address: '127.0.0.1' });
  });
});

describe('requests', () => {
  it('of other paths and methods are refused', async () => {
    expect((await ask({ url: '/nothing' })).statusCode).toBe(404);
    for (const method of ['GET', 'DELETE', 'PUT'] as const) {
      const answer = await ask({ method });
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST']);
    }
    expect((await ask({ url: '/sse' })).headers.allow).toBe('GET, HEAD');
  });

  it('have a bounded body of JSON', async () => {
    await restart({ MAX_BODY_BYTES: 2_000 });
    expect((await ask({ payload: JSON.stringify({ ...PING, params: { x: 'x'.repeat(3_000) } }) })).statusCode).toBe(
      413,
    );
    expect((await ask({ payload: '{' })).statusCode).toBe(400);
    expect((await ask({ payload: '[]'.repeat(2) })).statusCode).toBe(400);
    expect((await ask({ payload: '{"jsonrpc":"1.0"}' })).statusCode).toBe(400);
    expect((await ask({ headers: { 'content-type': 'text/plain' } })).statusCode).toBe(415);
    expect((await ask({ url: '/messages/' })).json().code).toBe('invalid_input');
    expect((await ask({ url: '/messages/?session_id=x' })).json().code).toBe('not_found');
  });

  it('come in batches that are bounded, each with an id of its own', async () => {
    const batch = (count: number) => Array.from({ length: count }, (_, id) => ({ ...PING, id }));
    const answer = await ask({ payload: batch(100) });
    expect([answer.statusCode, answer.body.match(/"result":\{\}/g)?.length]).toEqual([200, 100]);
    const refusal = async (options: InjectOptions) => {
      const refused = await ask(options);
      return [refused.statusCode, refused.json().error];
    };
    expect(await refusal({ payload: batch(101) })).toEqual([
      400,
      { code: -32_600, message: expect.stringMatching(/100/) },
    ]);
    const twice = [PING, PING];
    expect(await refusal({ payload: twice })).toEqual([400, { code: -32_600, message: expect.stringMatching(/id/) }]);
    const old = { 'mcp-protocol-version': '1999-01-01' };
    expect(await refusal({ headers: old })).toEqual([400, { code: -32_000, message: expect.stringMatching(/1999/) }]);
    const accept = 'application/json';
    expect(await refusal({ headers: { accept } })).toEqual([406, { code: -32_000, message: expect.any(String) }]);
    expect((await ask({ payload: { jsonrpc: '2.0', method: 'notifications/initialized' } })).statusCode).toBe(202);
  });

  it('have numbers that can be kept, and each name once', async () => {
    const call = (name: string, given: string) =>
      ask({
        payload: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`,
      });
    const labels = '{"serial":12345678901234567890}';
    const host = await call('upsert_host', `{"hostname":"n1","account":"crm","labels":${labels}}`);
    expect(host.body).toMatch(/invalid_input.*12345678901234567890.*send it as text/);
    const rule = await call('create_rule', `{"rule_type":"automation_projects","rule":{"name":"x","extra":${labels}}}`);
    expect(rule.body).toMatch(/extra\.serial.*12345678901234567890/);
    const payload = JSON.stringify(`{"rules":{"automation_projects":[{"name":"x","extra":${labels}}]}}`);
    const bundle = await call('import_rules_bulk', `{"payload":${payload}}`);
    expect(bundle.body).toMatch(/extra\.serial.*12345678901234567890/);
    const twice = await call('get_host', '{"hostname":"n1","hostname":"n2"}');
    expect([twice.statusCode, twice.json().message]).toEqual([400, expect.stringContaining('hostname')]);
    const within = JSON.stringify('{"rules":{"automation_projects":[],\n"automation_projects":[]}}');
    expect((await call('import_rules_bulk', `{"payload":${within}}`)).body).toContain('occurs twice');
  });

  it('may leave out arguments where none are needed', async () => {
    const payload = { ...PING, method: 'tools/call', params: { name: 'host_stats' } };
    expect((await ask({ payload })).body).toContain('num_hosts');
  });

  it('carry the id by which the log has them', async () => {
    expect((await ask()).headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
    expect((await ask({ user: null })).headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
  });
});

describe.each(['mcp', 'sse'] as const)('a client over /%s', (path) => {
  async function connect(url: string, user = 'root'): Promise<Client> {
    const requestInit = { headers: { authorization: basic(user) } };
    const address = new URL(`/${path}`, url);
    const client = new Client({ name: 'test', version: '0.0.0' });
    await client.connect(
      path === 'sse'
        ? new SSEClientTransport(address, {
            requestInit,
            eventSourceInit: {
              fetch: (to, init) => fetch(to, { ...init, headers: { ...init.headers, ...requestInit.headers } }),
            },
          })
        : new StreamableHTTPClientTransport(address, { requestInit }),
    );
    return client;
  }

  it('calls tools in the name of its user', async () => {
    await service.addUser('reader', { read_only: true });
    const url = await listen();
    const [root, reader] = await Promise.all([connect(url), connect(url, 'reader')]);
    const host = { hostname: 'web1', account: 'crm', labels: { a: 1 } };
    expect((await callTool(reader, 'upsert_host', host)).value.code).toBe('read_only');
    expect((await callTool(root, 'upsert_host', host)).value.status).toBe('saved');
    expect((await callTool(reader, 'get_host', { hostname: 'web1' })).value.labels).toEqual({ a: 1 });
    await service.app.services.audit.settled();
    const [entry] = await service.storage.audit.latest({ limit: 1, operation: 'hosts/save-host', actor: 'root' });
    expect(entry).toMatchObject({ entrance: 'mcp', address: '127.0.0.1', outcome: 'done', subject: 'web1' });
    await Promise.all([root.close(), reader.close()]);
  });

  it('is refused at its next call when the user is disabled', async () => {
    const client = await connect(await listen());
    expect((await callTool(client, 'host_stats')).isError).toBe(false);
    await service.operate(changeUser, { name: 'root', disabled: true, password: PASSWORD });
    await expect(client.callTool({ name: 'host_stats' })).rejects.toThrow(/401|unauthenticated/);
    await client.close();
  });
});

describe('event streams', () => {
  /** Opens a stream as a user and answers the address that it names. */
  async function open(url: string, user = 'root'): Promise<{ messages: string; reader: ReadableStreamDefaultReader }> {
    const answer = await fetch(`${url}/sse`, { headers: { authorization: basic(user) } });
    if (answer.body === null || answer.status !== 200) throw new Error(`no stream: ${answer.status}`);
    const reader = answer.body.getReader();
    const { value } = await reader.read();
    return { messages: /data: (\S+)/.exec(new TextDecoder().decode(value))?.[1] ?? '', reader };
  }

  const post = (url: string, user: string) =>
    fetch(url, {
      method: 'POST',
      headers: { authorization: basic(user), 'content-type': 'application/json' },
      body: JSON.stringify(PING),
    });

  it('name an address below the path of the host that the service has', async () => {
    await restart({ BASE_URL: 'https://h.example/muster' });
    const url = await listen();
    for (const path of ['', '/muster']) {
      const { messages, reader } = await open(`${url}${path}`);
      expect(messages).toMatch(/^\/muster\/messages\/\?sessionId=/);
      expect((await post(url + messages, 'root')).status).toBe(202);
      expect((await post(url + messages.slice('/muster'.length), 'root')).status).toBe(202);
      await reader.cancel();
    }
  });

  it('take messages of their own user only', async () => {
    await service.addUser('other');
    const url = await listen();
    const { messages, reader } = await open(url);
    expect(messages).toMatch(/^\/messages\/\?sessionId=/);
    expect((await post(url + messages, 'other')).status).toBe(403);
    expect((await post(url + messages, 'root')).status).toBe(202);
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toContain('"result":{}');
    const id = messages.split('=')[1];
    expect((await post(`${url}/messages/${id}`, 'root')).status).toBe(202);
    expect((await post(`${url}/messages?session_id=${id}`, 'root')).status).toBe(202);
    await reader.cancel();
  });

  it('end with their client', async () => {
    const url = await listen();
    const { reader } = await open(url);
    expect(tools.sessions.size).toBe(1);
    await reader.cancel();
    await expect.poll(() => tools.sessions.size).toBe(0);
  });

  it('are bounded, of one user and in all', async () => {
    tools = service.network({ max: 3, maxOfUser: 2 });
    await service.addUser('other');
    const url = await listen();
    await open(url);
    await open(url);
    const status = async (user: string) =>
      (await fetch(`${url}/sse`, { headers: { authorization: basic(user) } })).status;
    expect(await status('root')).toBe(503);
    await open(url, 'other');
    expect(await status('other')).toBe(503);
  });

  it('that nobody uses are closed', async () => {
    tools = service.network({ idleMs: 0, keepAliveMs: 20 });
    const { reader } = await open(await listen());
    while (!(await reader.read()).done);
    expect(tools.sessions.size).toBe(0);
  });

  it('that are quiet are kept alive', async () => {
    tools = service.network({ keepAliveMs: 20 });
    const { reader } = await open(await listen());
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe(': keep-alive\n\n');
    await reader.cancel();
  });

  it('are closed when the server stops', async () => {
    const { reader } = await open(await listen());
    await tools.sessions.closeAll();
    while (!(await reader.read()).done);
    await tools.app.close();
  });
});
