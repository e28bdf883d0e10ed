import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { BodyBudget } from '../../src/adapters/listener/bodies/budget.ts';
import { type BodyPace, readBody } from '../../src/adapters/listener/bodies/read.ts';
import type { Config } from '../../src/app/kernel/config/schema.ts';
import { AdminClient, PASSWORD } from '../adapters/admin/admin-client.ts';
import { basic } from '../adapters/http/http-service.ts';
import { RawRequest } from './support/raw-request.ts';

/** Bodies fill the memory before anything is done with them, so who sends them is known first, and all together are bounded. */

const MEBIBYTE = 1024 * 1024;
const JSON_BODY = 'Content-Type: application/json';

let client: AdminClient;
let port: number;
const open: RawRequest[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((request) => request.close()));
  await client?.service.stop();
});

async function start(config: Partial<Config> = {}): Promise<void> {
  client = await AdminClient.start({ RATE_LIMIT_401_PER_MINUTE: 0, ...config });
  await client.service.app.listen({ port: 0, host: '127.0.0.1' });
  port = (client.service.app.server.address() as AddressInfo).port;
}

function request(...head: readonly string[]): RawRequest {
  const made = new RawRequest(port, head);
  open.push(made);
  return made;
}

describe('a body of somebody who is not known', () => {
  it.each([
    ['POST /admin/api/operations/rules/import-rules HTTP/1.1', 401],
    ['POST /admin/api/operations/a/b HTTP/1.1', 401],
    ['POST /api/v1/rules/import HTTP/1.1', 401],
    ['POST /api/v1/objects/bulk HTTP/1.1', 401],
  ])('is not waited for: %s', async (line, status) => {
    await start();
    const sent = request(line, JSON_BODY, `Content-Length: ${30 * MEBIBYTE}`);
    sent.send(Buffer.alloc(MEBIBYTE));
    expect(await sent.status()).toBe(status);
  });

  it('is small at the login and at the trigger, and refused at its first byte too many', async () => {
    await start();
    for (const path of ['/admin/api/session', '/api/v1/syncer/cron/trigger/x']) {
      const sent = request(`POST ${path} HTTP/1.1`, JSON_BODY, 'Transfer-Encoding: chunked');
      sent.send('10001\r\n');
      sent.send(Buffer.alloc(0x10001));
      sent.send('\r\n0\r\n\r\n');
      expect(await sent.status(), path).toBe(413);
    }
  });

  it('does not keep out a user, a login or a webhook', async () => {
    await start();
    await client.service.addUser('olga');
    for (let count = 0; count < 200; count++) {
      request('POST /admin/api/session HTTP/1.1', JSON_BODY, 'Content-Length: 16000').send(Buffer.alloc(15_000));
    }
    const payload = { account: 'crm', labels: {} };
    const saved = await client.service.request({ method: 'POST', url: '/api/v1/objects/web1', payload });
    expect(saved.statusCode).toBe(200);
    expect((await client.logIn('olga')).statusCode).toBe(200);
  });
});

describe('bodies of one user', () => {
  const upload = (user: string, bytes: number) => {
    const sent = request(
      'POST /api/v1/objects/bulk HTTP/1.1',
      JSON_BODY,
      `Authorization: ${basic(user, PASSWORD)}`,
      'Content-Length: 4096',
    );
    sent.send(Buffer.alloc(bytes));
    return sent;
  };

  it('take a share, and others go on', async () => {
    await start({ MAX_BODY_BYTES: 4096 });
    await client.service.addUser('olga');
    const held = Array.from({ length: 4 }, () => upload('root', 4000));
    expect(await held[3]?.status(300)).toBeUndefined();
    const refused = upload('root', 4000);
    expect(await refused.status()).toBe(503);
    const [first] = held;
    // The right length and no JSON: it is looked at.
    const other = upload('olga', 4096);
    expect(await other.status()).toBe(400);
    await first?.close();
    await expect.poll(() => upload('root', 4096).status()).toBe(400);
  });
});

describe('the room for bodies', () => {
  it('is counted by share and in all, and given back once', () => {
    const budget = new BodyBudget({ bytes: 100, bytesOfShare: 60, bodies: 3, bodiesOfShare: 2 });
    const [a, b] = [budget.enter('a'), budget.enter('a')];
    expect(() => budget.enter('a')).toThrow(expect.objectContaining({ code: 'unavailable' }));
    const c = budget.enter('c');
    expect(() => budget.enter('d')).toThrow(expect.objectContaining({ code: 'unavailable' }));
    a.take(40);
    expect(() => b.take(21)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    c.take(60);
    expect(() => b.take(1)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    c.leave();
    c.leave();
    b.take(20);
    expect(budget.bytes).toBe(60);
    a.leave();
    b.leave();
    expect(budget.bytes).toBe(0);
  });

  const read = (pace: BodyPace, send: (line: PassThrough) => void) => {
    const line = Object.assign(new PassThrough(), { headers: {} });
    const place = new BodyBudget({ bytes: 1000, bytesOfShare: 1000 }).enter('a');
    const body = readBody(line as never, { limit: 1000, place, pace });
    send(line);
    return body;
  };

  it('is not held by a body that hardly comes', async () => {
    for (const bytesPerSecond of [0, 1000]) {
      const slow = read({ graceMs: 100, bytesPerSecond }, (line) => line.write('x'));
      await expect(slow).rejects.toMatchObject({ status: 408 });
    }
    const steady = read({ graceMs: 100, bytesPerSecond: 2 }, (line) => {
      line.write('many bytes');
      setTimeout(() => line.end('!'), 1_500);
    });
    expect((await steady).toString()).toBe('many bytes!');
  });
});
