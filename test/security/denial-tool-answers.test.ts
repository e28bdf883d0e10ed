import { type AddressInfo, connect, type Socket } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getHost } from '../../src/app/hosts/operations/get-host.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { saveInventory } from '../../src/app/hosts/operations/save-inventory.ts';
import { basic, callTool, ToolService } from '../adapters/mcp/tool-service.ts';

/** How many large answers the tool server makes for clients that ask for many and read none, beside those that read theirs. */

const LARGE = 3_500_000;
/** What is made at once for one connection and for one user. */
const AT_ONCE = 8;
const AT_ONCE_OF_USER = 16;
/** Answers of this size that the buffers of the operating system take from us, for each connection. */
const TAKEN_BY_LINE = 3;

vi.setConfig({ testTimeout: 30_000 });

let service: ToolService;
let port: number;
let url: string;
let sockets: Socket[];
/** Answers that were made. */
let made: number;

beforeEach(async () => {
  service = await ToolService.start();
  await service.operate(saveHost, { hostname: 'large.example.org', account: 'crm', labels: {} });
  await service.operate(saveInventory, {
    hostname: 'large.example.org',
    key: 'crm',
    inventory: { text: 'x'.repeat(LARGE) },
  });
  const { executor } = service.app;
  const ask = executor.value.bind(executor);
  made = 0;
  executor.value = ((operation, ...rest) => {
    if (operation === (getHost as unknown)) made++;
    return ask(operation, ...rest);
  }) as typeof executor.value;
  const { app } = service.network();
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
  url = `http://127.0.0.1:${port}`;
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
});

const reading = (id: number | string) => ({
  jsonrpc: '2.0',
  id,
  method: 'resources/read',
  params: { uri: 'service://hosts/large.example.org' },
});
const batch = (count: number) => JSON.stringify(Array.from({ length: count }, (_, id) => reading(id)));

/** A connection that asks and reads nothing. */
function send(head: string, body = ''): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  return again(socket.pause(), head, body);
}

function again(socket: Socket, head: string, body = ''): Socket {
  socket.write(`${head} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic('root')}\r\n`);
  socket.write('Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n');
  socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
  return socket;
}

/** A stream that nobody reads beyond its first event. */
async function stream(): Promise<string> {
  const socket = send('GET /sse');
  let text = '';
  while (!text.includes('sessionId=')) {
    text += (await new Promise<Buffer>((resolve) => socket.resume().once('data', resolve))).toString();
  }
  socket.pause();
  return `${url}${/data: (\S+)/.exec(text)?.[1]}`;
}

function post(address: string, body: string): Promise<Response> {
  const headers = {
    authorization: basic('root'),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return fetch(address, { method: 'POST', headers, body });
}

/** Resolves with the number of answers when no more of them are made. */
async function settled(): Promise<number> {
  for (let before = -1; before !== made || made === 0; ) {
    before = made;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return made;
}

describe('a client of the tool server that reads nothing', () => {
  it('gets a few of the answers of a batch made, and not all', async () => {
    send('POST /mcp', batch(100));
    expect(await settled()).toBeLessThanOrEqual(AT_ONCE + TAKEN_BY_LINE);
  });

  it('gets no more of them over many connections', async () => {
    for (let count = 0; count < 12; count++) send('POST /mcp', batch(10));
    expect(await settled()).toBeLessThanOrEqual(AT_ONCE_OF_USER + 12 * TAKEN_BY_LINE);
    expect(made).toBeLessThan(60);
  });

  it('gets no more of them by requests one behind the other', async () => {
    const socket = send('POST /mcp', batch(1));
    for (let count = 0; count < 40; count++) again(socket, 'POST /mcp', batch(1));
    expect(await settled()).toBeLessThanOrEqual(AT_ONCE_OF_USER + TAKEN_BY_LINE);
  });

  it('gets no more of them over an event stream', async () => {
    const messages = await stream();
    for (let id = 0; id < 60; id++) expect((await post(messages, JSON.stringify(reading(id)))).status).toBe(202);
    expect(await settled()).toBeLessThanOrEqual(AT_ONCE + TAKEN_BY_LINE);
  });

  it('gets no more of them by taking requests back', async () => {
    const messages = Array.from({ length: 50 }, (_, index) => [
      reading(`call ${index}`),
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: `call ${index}` } },
    ]);
    const answer = await post(`${url}/mcp`, JSON.stringify(messages.flat()));
    await answer.text();
    expect(made).toBeLessThanOrEqual(AT_ONCE);
  });

  it('is refused when too much waits, and told what to do', async () => {
    for (let count = 0; count < 10; count++) send('POST /mcp', batch(100));
    await settled();
    const answer = await post(`${url}/mcp`, batch(100));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await answer.json()).toMatchObject({ code: 'unavailable', message: expect.stringContaining('read those') });
    const messages = await stream();
    expect((await post(messages, JSON.stringify(reading('one more')))).status).toBe(503);
  });

  it('keeps no other user from his answers', async () => {
    for (let count = 0; count < 10; count++) send('POST /mcp', batch(100));
    await settled();
    await service.addUser('other');
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: basic('other'),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: batch(3),
    });
    expect((await answer.text()).length).toBeGreaterThan(3 * LARGE);
  });

  it('gives back its places when it goes away', async () => {
    for (let count = 0; count < 10; count++) send('POST /mcp', batch(100));
    await settled();
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(async () => (await (await post(`${url}/mcp`, batch(1))).text()).length, { timeout: 5_000 })
      .toBeGreaterThan(LARGE);
  });
});

describe('a client that reads', () => {
  it('gets every answer of the largest batch', async () => {
    const messages = Array.from({ length: 100 }, (_, id) =>
      id % 10 === 0 ? reading(id) : { ...reading(id), method: 'ping' },
    );
    const answer = await post(`${url}/mcp`, JSON.stringify(messages));
    const text = await answer.text();
    expect(text.match(/^data: /gm)).toHaveLength(100);
    expect(made).toBe(10);
  });

  it.each(['mcp', 'sse'] as const)('gets the answers of many calls at once over /%s', async (path) => {
    const requestInit = { headers: { authorization: basic('root') } };
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
    const calls = Array.from({ length: 150 }, () => callTool(client, 'host_stats'));
    for (const { isError } of await Promise.all(calls)) expect(isError).toBe(false);
    const large = Array.from({ length: 20 }, () => client.readResource({ uri: 'service://hosts/large.example.org' }));
    for (const { contents } of await Promise.all(large)) {
      expect((contents[0] as { text: string }).text.length).toBeGreaterThan(LARGE);
    }
    await client.close();
  });
});
