import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpServer, httpServer } from '../../../src/adapters/http/server.ts';
import { basic, type HttpService, PASSWORD, startHttpService } from './http-service.ts';

let service: HttpService;
let server: HttpServer;
let address: string;
let kept: Agent;
/** Ends a wait of the storage. */
let release: () => void;
/** Is settled when somebody waits for the storage. */
let waiting: Promise<void>;

beforeEach(async () => {
  let isAsked = (): void => undefined;
  waiting = new Promise((resolve) => {
    isAsked = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  service = await startHttpService({
    config: { HTTP_PORT: 0 },
    storage: (storage) => ({
      ...storage,
      cron: {
        ...storage.cron,
        async states() {
          isAsked();
          await released;
          return storage.cron.states();
        },
      },
    }),
  });
  server = httpServer({ version: '0.0.0' })({ executor: service.executor, services: service.services });
  address = await server.start();
  kept = new Agent({ keepAlive: true, maxSockets: 1 });
});

afterEach(async () => {
  release();
  kept.destroy();
  await server.stop();
  await service.stop();
});

async function ask(path: string, agent: Agent | false = kept): Promise<IncomingMessage> {
  const asked = request(`${address}${path}`, { agent, headers: { authorization: basic('root', PASSWORD) } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

async function read(path: string) {
  const answer = await ask(path);
  const body = await text(answer);
  return { status: answer.statusCode, connection: answer.headers.connection, body: JSON.parse(body) };
}

describe('a service that drains', () => {
  it('is not ready any more, answers everything else, and ends kept connections after an answer and not before', async () => {
    expect(await read('/readyz')).toMatchObject({ status: 200, connection: 'keep-alive', body: { status: 'ready' } });
    const [socket] = Object.values(kept.freeSockets).flat();
    const closed = once(socket as Socket, 'close');
    server.drain();
    const all = await read('/api/v1/objects/all');
    expect(all).toMatchObject({ status: 200, connection: 'close', body: { size: 0 } });
    // It was the connection that was kept from before.
    await closed;
    expect(await read('/readyz')).toMatchObject({
      status: 503,
      connection: 'close',
      body: { status: 'draining', code: 'unavailable', message: expect.any(String), broken_plugins: [] },
    });
    expect(await read('/healthz')).toMatchObject({ status: 200, connection: 'close' });
    expect(await read('/nowhere')).toMatchObject({ status: 404, connection: 'close' });
    expect(await read('/api/v1/objects/all?limit=-1')).toMatchObject({ status: 400, connection: 'close' });
  });

  it('ends the connection of a request that was under way before as well', async () => {
    const slow = read('/api/v1/syncer/cron/');
    await waiting;
    server.drain();
    release();
    expect(await slow).toMatchObject({ status: 200, connection: 'close' });
  });

  it('goes on with streams of events, takes new ones, and ends them when it stops', async () => {
    const before = await ask('/api/v1/changes/stream?since=start', false);
    server.drain();
    const during = await ask('/api/v1/changes/stream?since=start', false);
    expect(during.statusCode).toBe(200);
    let ended = 0;
    const texts = [before, during].map((stream) => text(stream).finally(() => ended++));
    const host = { account: 'crm', labels: {} };
    await service.request({ method: 'POST', url: '/api/v1/objects/web01', payload: host });
    expect(ended).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await server.stop();
    for (const events of await Promise.all(texts)) {
      expect(events).toMatch(/^id: \S+\nevent: change\n/m);
      expect(events).toMatch(/\n\n$/);
    }
  });
});
