import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { pythonEnvironment, pythonProgram } from '../../test/support/python-environment.ts';
import { Api, basic, expect, PASSWORD, test } from '../support/api.ts';
import { RunningService } from '../support/running-service.ts';
import { ROOT, run, type Workplace } from '../support/workplace.ts';
import { ToolProcess } from './tool-process.ts';

const MUSTER_MCP = join(ROOT, 'bin', 'muster-mcp');
const PYTHON_CLIENT = fileURLToPath(new URL('./client.py', import.meta.url));
const CREDENTIALS = { SERVICE_API_USER: 'assistant', SERVICE_API_PASSWORD: PASSWORD };
const TOOLS = JSON.parse(readFileSync(join(ROOT, 'test/adapters/mcp/tools.snapshot.json'), 'utf8'));

/** A user of the tool server, and one who is none. */
async function addUsers(place: Workplace): Promise<void> {
  await place.done(['user', 'add', 'assistant', '--role', 'mcp', '--password-stdin'], { input: PASSWORD });
  await place.done(['user', 'add', 'stranger', '--role', 'objects', '--password-stdin'], { input: PASSWORD });
}

function stdio(place: Workplace, environment: Record<string, string> = CREDENTIALS): StdioClientTransport {
  const env = Object.fromEntries(
    Object.entries({ ...place.environment, ...environment }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  return new StdioClientTransport({ command: MUSTER_MCP, cwd: place.directory, env, stderr: 'pipe' });
}

function network(kind: 'sse' | 'mcp', url: string, user: string, password = PASSWORD): Transport {
  const headers = basic(user, password);
  const address = new URL(`/${kind}`, url);
  if (kind === 'mcp') return new StreamableHTTPClientTransport(address, { requestInit: { headers } });
  return new SSEClientTransport(address, {
    requestInit: { headers },
    eventSourceInit: { fetch: (to, init) => fetch(to, { ...init, headers: { ...init.headers, ...headers } }) },
  });
}

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'e2e', version: '1' });
  await client.connect(transport);
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
async function call(client: Client, name: string, given: Record<string, unknown> = {}): Promise<any> {
  const { content } = await client.callTool({ name, arguments: given });
  return JSON.parse((content as { text: string }[])[0]?.text ?? 'null');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** What every client does, however it came in. */
async function useTools(client: Client, hostname: string): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(TOOLS.length);
  expect(await call(client, 'upsert_host', { hostname, account: 'crm', labels: { 'a.b': 1 } })).toEqual({
    hostname,
    status: 'saved',
  });
  expect((await call(client, 'get_host', { hostname })).labels).toEqual({ 'a.b': 1 });
  expect((await call(client, 'get_host', { host: hostname })).code).toBe('invalid_input');
  const rule = { name: hostname, enabled: true, condition_typ: 'anyway', outcomes: [] };
  expect(await call(client, 'create_rule', { rule_type: 'custom_attributes', rule })).toMatchObject({
    status: 'imported',
  });
  expect(await call(client, 'run_autorules')).toEqual({ status: 'ok' });
  expect((await call(client, 'export_all_rules')).rules.custom_attributes).toContainEqual(
    expect.objectContaining({ name: hostname }),
  );
  const { contents } = await client.readResource({ uri: `service://hosts/${encodeURIComponent(hostname)}` });
  expect(JSON.parse((contents[0] as { text: string }).text).hostname).toBe(hostname);
}

test('a client starts the server by its name', async ({ freshPlace }) => {
  const place = await freshPlace();
  await addUsers(place);
  const client = await connect(stdio(place));
  await useTools(client, 'over stdio');
  await place.done(['user', 'disable', 'assistant']);
  await expect.poll(async () => (await call(client, 'host_stats')).code).toBe('unauthenticated');
  await client.close();
});

test('the server writes nothing but the protocol, and ends with its input', async ({ freshPlace }) => {
  const place = await freshPlace();
  await addUsers(place);
  const request = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'host_stats' } };
  const input = `${JSON.stringify(request)}\n`;
  const options = { cwd: place.directory, env: { ...place.environment, ...CREDENTIALS }, input };
  const { code, stdout } = await run(MUSTER_MCP, [], options);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ id: 7, result: { structuredContent: { num_hosts: 0 } } });
});

test('the server ends in good order when it is asked to', async ({ freshPlace }) => {
  const place = await freshPlace();
  await addUsers(place);
  const child = spawn(MUSTER_MCP, [], { cwd: place.directory, env: { ...place.environment, ...CREDENTIALS } });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect([child.exitCode, stderr]).toEqual([0, '']);
});

test('the server does not start without a user who may use it', { tag: '@thorough' }, async ({ freshPlace }) => {
  const place = await freshPlace();
  await addUsers(place);
  for (const [args, environment, reason] of [
    [[], {}, 'SERVICE_API_USER'],
    [[], { ...CREDENTIALS, SERVICE_API_PASSWORD: 'wrong' }, 'not valid'],
    [['--user', 'stranger'], CREDENTIALS, 'User has no api_role granting'],
    [['--password', 'wrong'], CREDENTIALS, 'not valid'],
  ] as const) {
    const result = await place.muster(['mcp', ...args], { environment });
    expect([result.code, result.stdout]).toEqual([1, '']);
    expect(result.stderr).toContain(reason);
  }
  const flags = await place.muster(['mcp', '--user', 'assistant', '--password', PASSWORD], {
    environment: { ...CREDENTIALS, SERVICE_API_USER: 'nobody', SERVICE_API_PASSWORD: 'wrong' },
  });
  expect(flags.code).toBe(0);
});

for (const transport of ['sse', 'http'] as const) {
  test(`muster mcp --transport ${transport} serves clients of both kinds`, async ({ freshPlace }) => {
    const place = await freshPlace();
    await addUsers(place);
    const server = await ToolProcess.start(place, ['mcp', '--transport', transport, '--port', '0']);
    for (const kind of ['sse', 'mcp'] as const) {
      const client = await connect(network(kind, server.url, 'assistant'));
      await useTools(client, `over ${kind}`);
      await expect(connect(network(kind, server.url, 'stranger'))).rejects.toMatchObject({ code: 401 });
      await expect(connect(network(kind, server.url, 'assistant', 'wrong'))).rejects.toMatchObject({ code: 401 });
      await client.close();
    }
    expect(await server.stop()).toBe(0);
  });
}

test('the service offers it beside REST, and stops with open streams', async ({ freshPlace }) => {
  const place = await freshPlace();
  await addUsers(place);
  const environment = { SERVICE_HTTP_PORT: '0', MCPSERVER_ENABLED: '1', MCPSERVER_PORT: '0' };
  const server = await ToolProcess.start(place, ['serve'], environment);
  const client = await connect(network('sse', server.url, 'assistant'));
  await useTools(client, 'over sse');
  expect(await server.stop()).toBe(0);
  await client.close();
});

test('with a certificate it speaks HTTPS', async ({ freshPlace }) => {
  const place = await freshPlace();
  await addUsers(place);
  const tls = (name: string) => fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url));
  const environment = { SERVICE_TLS_CERT: tls('cert'), SERVICE_TLS_KEY: tls('key') };
  const server = await ToolProcess.start(place, ['mcp', '--transport', 'http', '--port', '0'], environment);
  expect(server.url).toMatch(/^https:/);
  const api = await Api.open(server.url, {
    ...basic('assistant', PASSWORD),
    accept: 'application/json, text/event-stream',
  });
  const answer = await api.post('/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'host_stats' },
  });
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('num_hosts');
  await api.close();
  expect(await server.stop()).toBe(0);
});

test('the service offers none unless it is asked to', async ({ freshPlace }) => {
  const place = await freshPlace();
  const port = await freePort();
  const running = await RunningService.start(place, { SERVICE_MCPSERVER_PORT: String(port) });
  await expect(fetch(`http://127.0.0.1:${port}/sse`)).rejects.toThrow();
  expect(await running.stop()).toBe(0);
});

test('the Python SDK understands it, over every transport', async ({ freshPlace }) => {
  // Three interpreters, one after the other.
  test.setTimeout(120_000);
  const place = await freshPlace();
  await addUsers(place);
  const server = await ToolProcess.start(place, ['mcp', '--transport', 'sse', '--port', '0']);
  for (const args of [
    ['stdio', MUSTER_MCP],
    ['sse', `${server.url}/sse`, 'assistant', PASSWORD],
    ['http', `${server.url}/mcp`, 'assistant', PASSWORD],
  ]) {
    const { stdout } = await promisify(execFile)(pythonProgram('python'), [PYTHON_CLIENT, ...args], {
      cwd: place.directory,
      env: { ...pythonEnvironment(), ...place.environment, ...CREDENTIALS },
    });
    const seen = JSON.parse(stdout);
    expect(seen).toHaveLength(2);
    for (const { tools, saved, shown, text, refused, resource } of seen) {
      expect(tools).toHaveLength(TOOLS.length);
      expect(saved).toEqual({ hostname: 'from python', status: 'saved' });
      expect(shown).toMatchObject({ hostname: 'from python', labels: { 'a.b': 1 } });
      expect(text).toEqual(shown);
      expect(refused).toEqual([true, 'invalid_input']);
      expect(resource).toEqual(shown);
    }
  }
  await server.stop();
});
