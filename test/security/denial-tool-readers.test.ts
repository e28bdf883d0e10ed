import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { saveInventory } from '../../src/app/hosts/operations/save-inventory.ts';
import { basic, ToolService } from '../adapters/mcp/tool-service.ts';

/** Answers of the tool server that nobody reads, beside those that somebody reads. */

const CALLS = 12;
let service: ToolService;
let server: Server;
let sockets: Socket[];

beforeEach(async () => {
  service = await ToolService.start({ STALLED_READER_SECONDS: 1 });
  await service.operate(saveHost, { hostname: 'large.example.org', account: 'crm', labels: {} });
  await service.operate(saveInventory, {
    hostname: 'large.example.org',
    key: 'crm',
    inventory: { text: 'x'.repeat(3_500_000) },
  });
  const { app } = service.network();
  await app.listen({ host: '127.0.0.1', port: 0 });
  server = app.server;
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
});

function send(head: string, body = ''): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  socket.write(`${head} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic('root')}\r\n`);
  socket.write('Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n');
  socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
  return socket;
}

const connections = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

const readings = () =>
  JSON.stringify(
    Array.from({ length: CALLS }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'resources/read',
      params: { uri: 'service://hosts/large.example.org' },
    })),
  );

describe('a client of the tool server', () => {
  it('that reads nothing of its answers is cut off', async () => {
    send('POST /mcp', readings()).pause();
    await expect.poll(connections, { timeout: 10_000 }).toBe(1);
    await expect.poll(connections, { timeout: 10_000, interval: 200 }).toBe(0);
  });

  it('that reads them gets all of them', async () => {
    let length = 0;
    const socket = send('POST /mcp', readings()).on('data', (chunk) => {
      length += chunk.length;
    });
    await expect.poll(() => length, { timeout: 10_000, interval: 200 }).toBeGreaterThan(CALLS * 3_500_000);
    socket.end();
  });

  it('that waits for something to read keeps its stream', async () => {
    const socket = send('GET /sse').resume();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(socket.closed).toBe(false);
    expect(await connections()).toBe(1);
  });
});
