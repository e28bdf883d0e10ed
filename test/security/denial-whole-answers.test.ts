import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adminInterface } from '../../src/adapters/admin/routes.ts';
import { buildHttpApp } from '../../src/adapters/http/app.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { saveInventory } from '../../src/app/hosts/operations/save-inventory.ts';
import { basic, PASSWORD, ToolService } from '../adapters/mcp/tool-service.ts';

/** Large answers that are sent as a whole and that nobody reads, beside readers who do. */

const HOST = '/api/v1/objects/large.example.org';
/** More than the buffers of the operating system take. */
const TEXT = 'ä'.repeat(3_900_000);
const AUTHORIZATION = `Authorization: ${basic('reader')}`;

let service: ToolService;
let http: FastifyInstance;
let server: Server;
let sockets: Socket[];

beforeEach(async () => {
  service = await ToolService.start({ STALLED_READER_SECONDS: 1 });
  await service.addUser('reader', { roles: ['objects'] });
  await service.operate(saveHost, { hostname: 'large.example.org', account: 'crm', labels: {} });
  await service.operate(saveInventory, { hostname: 'large.example.org', key: 'crm', inventory: { text: TEXT } });
  const { services, executor } = service.app;
  const mounts = [adminInterface({ version: '0' })({ services, executor })];
  http = buildHttpApp({ version: '0' }, { services, executor, mounts });
  await http.listen({ host: '127.0.0.1', port: 0 });
  server = http.server;
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await http.close();
  await service.stop();
});

/** A connection that asks, for one thing or several, and reads nothing. */
function send(...requests: readonly (readonly string[])[]): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket.pause());
  for (const head of requests) socket.write(`${[...head, 'Host: localhost'].join('\r\n')}\r\n\r\n`);
  return socket;
}

const connections = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

async function areCut(count: number): Promise<void> {
  await expect.poll(connections, { timeout: 5_000, interval: 20 }).toBe(count);
  await expect.poll(connections, { timeout: 10_000, interval: 200 }).toBe(0);
}

async function logIn(): Promise<string> {
  const payload = { name: 'reader', password: PASSWORD };
  const answer = await http.inject({ method: 'POST', url: '/admin/api/session', payload });
  return String(answer.headers['set-cookie']).split(';')[0] ?? '';
}

const READING = [`GET ${HOST} HTTP/1.1`, AUTHORIZATION];

describe('a reader who takes nothing of a large answer', () => {
  it('is cut off at REST', async () => {
    send(READING);
    await areCut(1);
    expect(service.log.map(({ message }) => message)).toContain(
      'a client did not read its answer and was disconnected',
    );
  });

  it('is cut off when he asked for it behind another one', async () => {
    send(['GET /healthz HTTP/1.1'], READING, READING);
    await areCut(1);
  });

  it('is cut off at the admin pages, with progress and without', async () => {
    const body = '{"hostname":"large.example.org"}';
    const head = [
      'POST /admin/api/operations/hosts/show-host HTTP/1.1',
      `Cookie: ${await logIn()}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    for (const accept of ['application/json', 'application/x-ndjson']) send([...head, `Accept: ${accept}`]).write(body);
    await areCut(2);
  });
});

describe('a reader who reads', () => {
  it('gets a large answer with its length, and knows it before', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${HOST}`;
    const headers = { authorization: basic('reader') };
    const answer = await fetch(url, { headers });
    const length = Number(answer.headers.get('content-length'));
    const text = await answer.text();
    expect(Buffer.byteLength(text)).toBe(length);
    expect(JSON.parse(text).inventory.crm).toEqual({ text: TEXT });
    const asked = await fetch(url, { method: 'HEAD', headers });
    expect(Number(asked.headers.get('content-length'))).toBe(length);
  });

  it('slowly gets it all', async () => {
    let length = 0;
    for await (const chunk of send(READING)) {
      length += chunk.length;
      await new Promise((resolve) => setTimeout(resolve, 15));
      if (length > 2 * TEXT.length) break;
    }
    expect(length).toBeGreaterThan(2 * TEXT.length);
  });

  it('of a small answer gets it as before', async () => {
    const answer = await http.inject({ url: '/healthz' });
    expect([answer.json(), answer.headers['content-length']]).toEqual([{ status: 'alive' }, '18']);
  });
});
