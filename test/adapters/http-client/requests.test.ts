import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../src/ports/index.ts';
import { by, content, endless, json, never, packed, status } from '../../support/misbehaving-server.ts';
import { context, errorOf, fixedClient, startedServer } from './fixed-client.ts';

const server = startedServer();

describe('addresses', () => {
  it.each<[string, HttpRequest, string]>([
    ['/api/v1', { path: 'hosts' }, '/api/v1/hosts'],
    ['/api/v1/', { path: '/hosts' }, '/api/v1/hosts'],
    ['', { path: '/hosts' }, '/hosts'],
    ['/api/', {}, '/api/'],
    ['/api', {}, '/api'],
    [
      '/api?tenant=a',
      { path: 'hosts?x=1', query: { tenant: 'b', size: 2, deep: true, none: undefined, id: [1, 2] } },
      '/api/hosts?x=1&tenant=b&size=2&deep=true&id=1&id=2',
    ],
    ['/api', { path: 'a b/%2F/ä', query: { q: 'a&b=c d' } }, '/api/a%20b/%2F/%C3%A4?q=a%26b%3Dc+d'],
  ])('%s and %j are %s', async (base, request, expected) => {
    server.at(expected.split('?')[0] as string, json(null));
    await fixedClient(`${server.origin}${base}`).client.json(request, context);
    expect(server.requests.map(({ path }) => path)).toEqual([expected]);
  });

  it('may be whole ones of the same system', async () => {
    server.at('/other', json(1));
    const { client } = fixedClient(`${server.origin}/api`);
    expect(await client.json({ path: `${server.origin}/other` }, context)).toMatchObject({ value: 1 });
  });

  it.each([
    '../secret',
    'a/../../secret',
    '%2e%2e/secret',
    'http://127.0.0.1:1/x',
    'http://user:pass@127.0.0.1/',
    'ftp://127.0.0.1/',
  ])('%s leads out and is not sent', async (path) => {
    const error = await errorOf(fixedClient(`${server.origin}/api`).client.json({ path }, context));
    expect(error).toMatchObject({ code: 'failed', fault: 'origin' });
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['no address', 'url must be an address'],
    ['ftp://example.org', 'url must be an address'],
    ['http://user:pass@example.org', 'url must not contain a user name'],
    ['http://169.254.169.254/latest/meta-data', 'not an address that requests are sent to'],
    ['http://[fe80::1]/', 'not an address that requests are sent to'],
    ['http://[::ffff:169.254.169.254]/', 'not an address that requests are sent to'],
    ['http://0.0.0.0/', 'not an address that requests are sent to'],
  ])('%s is refused as the address of a system', (url, message) => {
    expect(() => fixedClient(url)).toThrow(message);
  });
});

describe('what is sent', () => {
  it('are documents, forms, texts and headers', async () => {
    server.at('/', json({}));
    const { client } = fixedClient(server.origin, { headers: { 'X-Tenant': 'muc' } });
    await client.json({ method: 'post', json: { a: [1] }, headers: { 'X-Trace': '7' } }, context);
    await client.json({ method: 'POST', form: { a: 'b c', d: '&' } }, context);
    await client.text({ method: 'PUT', body: 'plain', headers: { 'content-type': 'text/csv' } }, context);
    expect(server.requests.map(({ method, headers, body }) => [method, headers['content-type'], body])).toEqual([
      ['POST', 'application/json', '{"a":[1]}'],
      ['POST', 'application/x-www-form-urlencoded', 'a=b+c&d=%26'],
      ['PUT', 'text/csv', 'plain'],
    ]);
    expect(server.requests[0]?.headers).toMatchObject({
      'x-tenant': 'muc',
      'x-trace': '7',
      'accept-encoding': 'gzip, deflate, br',
      accept: 'application/json, */*;q=0.1',
    });
  });

  it.each([{ 'x-a': 'b\r\nx-evil: 1' }, { 'x\n': '1' }, { Host: 'elsewhere' }, { 'content-length': '0' }])(
    'is never the header %j',
    async (headers) => {
      const { client } = fixedClient(server.origin);
      await expect(
        client.json({ headers: headers as unknown as Record<string, string> }, context),
      ).rejects.toMatchObject({ code: 'invalid_input' });
      expect(() => fixedClient(server.origin, { headers: headers as unknown as Record<string, string> })).toThrow();
    },
  );
});

describe('answers', () => {
  it('are documents with exact numbers', async () => {
    server.at(
      '/',
      content('\ufeff{"id":12345678901234567890,"n":1.5}', { 'content-type': 'application/json', etag: '"v1"' }),
    );
    expect(await fixedClient(server.origin).client.json({}, context)).toMatchObject({
      status: 200,
      etag: '"v1"',
      notModified: false,
      value: { id: '12345678901234567890', n: 1.5 },
    });
  });

  it('may be known already', async () => {
    server.at(
      '/',
      by(({ headers }) =>
        headers['if-none-match'] === '"v1"' ? status(304, { etag: '"v1"' }) : json(1, { etag: '"v1"' }),
      ),
    );
    const { client } = fixedClient(server.origin);
    const { etag = '' } = await client.json({}, context);
    expect(await client.json({ etag }, context)).toMatchObject({ status: 304, notModified: true, value: undefined });
  });

  it.each(['gzip', 'deflate', 'raw deflate', 'br'] as const)('are unpacked: %s', async (packer) => {
    const value = { text: 'ä'.repeat(100_000) };
    server.at('/', packed(JSON.stringify(value), packer));
    expect((await fixedClient(server.origin).client.json({}, context)).value).toEqual(value);
  });

  it('are texts in the encoding that they say', async () => {
    server.at('/', content(Buffer.from('Münch', 'latin1'), { 'content-type': 'text/plain; charset="ISO-8859-1"' }));
    expect((await fixedClient(server.origin).client.text({}, context)).value).toBe('Münch');
  });

  it('to changes may be empty, and statuses be accepted', async () => {
    server.at('/gone', status(404, {}, '<h1>none</h1>'));
    server.at('/thing', status(204));
    const { client } = fixedClient(server.origin);
    expect(await client.json({ method: 'DELETE', path: 'thing' }, context)).toMatchObject({
      status: 204,
      value: undefined,
    });
    expect(await client.json({ path: 'gone', accept: [404] }, context)).toMatchObject({
      status: 404,
      value: undefined,
    });
  });

  it('are bytes of a stream', async () => {
    server.at('/', packed('a'.repeat(200_000), 'gzip'));
    const { body, status: code } = await fixedClient(server.origin).client.request({}, context);
    let size = 0;
    for await (const piece of body) size += piece.length;
    expect({ code, size }).toEqual({ code: 200, size: 200_000 });
  });

  it('that nobody reads to their end hold no turn', async () => {
    server.at('/', endless('x'));
    server.at('/next', json(1));
    const { client } = fixedClient(server.origin, { limits: { concurrent: 1 } });
    for await (const _ of (await client.request({}, context)).body) break;
    (await client.request({}, context)).discard();
    expect((await client.json({ path: 'next' }, context)).value).toBe(1);
  });
});

describe('limits', () => {
  it.each(['gzip', 'br', 'deflate'] as const)('hold for what %s unpacks to', async (packer) => {
    server.at('/', packed(' '.repeat(4_000_000), packer));
    const error = await errorOf(fixedClient(server.origin, { limits: { bytes: 1_000_000 } }).client.json({}, context));
    expect(error).toMatchObject({ fault: 'too_large', message: expect.stringContaining('more than 1000000 bytes') });
  });

  it('hold for answers that never end, whole and as streams', async () => {
    server.at('/', endless('x'.repeat(10_000)));
    const { client } = fixedClient(server.origin, { limits: { bytes: 100_000, streamBytes: 100_000 } });
    expect(await errorOf(client.text({}, context))).toMatchObject({ fault: 'too_large' });
    const { body } = await client.request({}, context);
    const read = async (): Promise<void> => {
      for await (const _ of body);
    };
    expect(await errorOf(read())).toMatchObject({ fault: 'too_large' });
  });

  it('hold for requests at the same time', async () => {
    let now = 0;
    let most = 0;
    server.at('/', (response) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now--;
        response.end('1');
      }, 20);
    });
    const { client } = fixedClient(server.origin, { limits: { concurrent: 3 } });
    await Promise.all(Array.from({ length: 12 }, () => client.json({}, context)));
    expect(most).toBe(3);
  });

  it('connections are used again, also after answers with errors', async () => {
    server.at(
      '/',
      by(() => (server.requests.length % 2 === 0 ? json(1) : status(404, {}, 'none'))),
    );
    const { client } = fixedClient(server.origin);
    for (let i = 0; i < 20; i++)
      await client.json({ accept: i % 3 === 0 ? [404] : [] }, context).catch(() => undefined);
    // A second one may be opened before the first is known to be free.
    expect(new Set(server.requests.map(({ socket }) => socket)).size).toBeLessThanOrEqual(2);
  });

  it('an abort ends what waits, what runs and what is read', async () => {
    server.at('/', never());
    server.at('/stream', endless('[1,', 5));
    const { client } = fixedClient(server.origin, { limits: { concurrent: 1 } });
    const stop = new AbortController();
    const asked = [client.json({}, stop), client.json({}, stop)].map(errorOf);
    setTimeout(() => stop.abort(), 30);
    expect((await Promise.all(asked)).map(({ code }) => code)).toEqual(['cancelled', 'cancelled']);
    const other = new AbortController();
    const { body } = await client.request({ path: 'stream' }, other);
    const read = async (): Promise<void> => {
      for await (const _ of body) other.abort();
    };
    expect(await errorOf(read())).toMatchObject({ code: 'cancelled' });
    expect(await errorOf(client.json({}, { signal: AbortSignal.abort() }))).toMatchObject({ code: 'cancelled' });
  });

  it('a closed client sends nothing', async () => {
    const { client } = fixedClient(server.origin);
    await client.close();
    await client.close();
    expect(await errorOf(client.json({}, context))).toMatchObject({ fault: 'lost' });
    expect(server.requests).toEqual([]);
  });
});
