import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EVENT_TYPE, EventAnswers } from '../../../src/adapters/listener/event-answers.ts';

/** More than one user may have open. */
const MANY = 10;

let app: FastifyInstance;
let isLate: boolean;
let handled: number;
let made: number;
beforeEach(async () => {
  app = Fastify();
  [isLate, handled, made] = [true, 0, 0];
  const events = new EventAnswers();
  app.get('/', async (request, reply) => {
    // Whoever asks is found out so late that the client has left.
    if (isLate) await once(request.raw.socket, 'close');
    const controller = new AbortController();
    const delivery = {
      reply,
      controller,
      user: 'olga',
      isHead: false,
      timeoutSeconds: 60,
      stillMay: async () => true,
      onStalled: () => undefined,
      onBroken: () => undefined,
    };
    const sent = events.send(delivery, async () => {
      made++;
      return { mediaType: EVENT_TYPE, unchanged: false, body: pieces() };
    });
    await sent.finally(() => handled++);
    return reply;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

async function* pieces(): AsyncGenerator<string> {
  yield 'data: 1\n\n';
}

describe('streams of events', () => {
  it('are not kept for clients that left before they began', async () => {
    const { port } = app.server.address() as AddressInfo;
    for (let client = 1; client <= MANY; client++) {
      const socket = connect(port, '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
      await once(socket, 'connect');
      setTimeout(() => socket.destroy(), 20);
      await vi.waitFor(() => expect(handled).toBe(client), { timeout: 5_000 });
    }
    expect(made).toBe(0);
    isLate = false;
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect([answer.status, await answer.text()]).toEqual([200, 'data: 1\n\n']);
  });
});
