import { describe, expect, it } from 'vitest';
import { retryAfter } from '../../../src/adapters/http-client/retry.ts';
import { by, content, cutOff, json, reset, status } from '../../support/misbehaving-server.ts';
import { context, errorOf, fixedClient, NOW, startedServer } from './fixed-client.ts';

const server = startedServer();

describe('requests are tried again', () => {
  it.each([
    ['429', status(429)],
    ['500', status(500)],
    ['502', status(502)],
    ['503', status(503)],
    ['504', status(504)],
    ['a reset', reset()],
    ['a body cut off', cutOff('{"a": 123456}')],
  ])('after %s, with pauses that double', async (_name, answer) => {
    server.at('/', answer, answer, answer, json('at last'));
    const { client, waits, lines } = fixedClient(server.origin);
    expect((await client.json({}, context)).value).toBe('at last');
    expect(waits).toEqual([0.25, 0.5, 1]);
    expect(lines.map(({ level, message, fields }) => [level, message, fields.try])).toEqual([
      ['warn', 'a request failed and is tried again', 1],
      ['warn', 'a request failed and is tried again', 2],
      ['warn', 'a request failed and is tried again', 3],
    ]);
  });

  it('so many times, and the error says how often', async () => {
    server.at('/', status(503));
    const { client } = fixedClient(server.origin, { retry: { attempts: 3 } });
    const error = await errorOf(client.json({}, context));
    expect(error).toMatchObject({ fault: 'status', status: 503, message: expect.stringMatching(/\(tried 3 times\)$/) });
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    ['400', status(400)],
    ['401', status(401)],
    ['403', status(403)],
    ['404', status(404)],
    ['invalid JSON', content('{oops}')],
  ])('never after %s', async (_name, answer) => {
    server.at('/', answer);
    await errorOf(fixedClient(server.origin).client.json({}, context));
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['POST', undefined, 1],
    ['PATCH', undefined, 1],
    ['POST', true, 2],
    ['PUT', undefined, 2],
    ['DELETE', undefined, 2],
    ['GET', false, 1],
  ])('%s (repeatable: %s) is sent %i times when the connection breaks', async (method, repeatable, times) => {
    server.at('/', reset());
    const { client } = fixedClient(server.origin, { retry: { attempts: 2 } });
    const request = { method, ...(repeatable === undefined ? {} : { repeatable }) };
    await errorOf(client.json(request, context));
    expect(server.requests).toHaveLength(times);
  });

  it('not once the time for all of it is used up', async () => {
    let seconds = 0;
    server.at(
      '/',
      by(() => {
        seconds += 40;
        return status(503);
      }),
    );
    const { client } = fixedClient(
      server.origin,
      { retry: { attempts: 10, totalSeconds: 100 } },
      () => new Date(NOW.getTime() + seconds * 1000),
    );
    await errorOf(client.json({}, context));
    expect(server.requests).toHaveLength(3);
  });

  it('not when the caller gives up in the pause', async () => {
    server.at('/', status(503));
    const stop = new AbortController();
    const { client } = fixedClient(server.origin);
    server.at(
      '/',
      by(() => {
        setImmediate(() => stop.abort());
        return status(503);
      }),
    );
    expect(await errorOf(client.json({}, stop))).toMatchObject({ code: 'cancelled' });
  });

  it('a stream is not, once it was handed out', async () => {
    server.at('/', cutOff('[1,2,3,4,5,6,7,8,9]'));
    const records = fixedClient(server.origin).client.records({}, '', context);
    const read = async (): Promise<void> => {
      for await (const _ of records);
    };
    expect(await errorOf(read())).toMatchObject({ fault: 'lost' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  it.each([
    ['7', 7],
    ['Mon, 02 Nov 2026 10:30:42 GMT', 42],
    ['Mon, 02 Nov 2026 10:29:00 GMT', 0],
  ])('%s is %i seconds', async (header, seconds) => {
    server.at('/', status(429, { 'retry-after': header }), json(1));
    const { client, waits } = fixedClient(server.origin);
    await client.json({}, context);
    expect(waits).toEqual([Math.max(seconds, 0.25)]);
  });

  it.each(['', 'soon', '-3', '1.5', '99999999999999', '2026'])('%j is none or a number', (header) => {
    const seconds = retryAfter(header, NOW);
    expect(seconds === undefined || Number.isFinite(seconds)).toBe(true);
  });

  it('that is too long ends it, and the error carries it', async () => {
    server.at('/', status(503, { 'retry-after': '3600' }));
    const { client, waits } = fixedClient(server.origin);
    const error = await errorOf(client.json({}, context));
    expect(error).toMatchObject({
      retryAfterSeconds: 3600,
      message: expect.stringContaining('asks to wait 3600 seconds'),
    });
    expect(waits).toEqual([]);
  });
});
