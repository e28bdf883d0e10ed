import { createServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Authority, authority, type Certificate } from '../../support/certificates.ts';
import { by, json, type MisbehavingServer, misbehavingServer } from '../../support/misbehaving-server.ts';
import { type ProxyServer, proxyServer } from '../../support/proxy-server.ts';
import { closeClients, context, errorOf, fixedClient } from './fixed-client.ts';

let trusted: Authority;
let client: Certificate;
const servers: { close(): Promise<void> }[] = [];
const ONCE = { attempts: 1 };

async function serverWith(tls: Parameters<typeof misbehavingServer>[0]): Promise<MisbehavingServer> {
  const server = await misbehavingServer(tls);
  servers.push(server);
  server.at('/', json('reached'));
  return server;
}

async function proxyWith(options: Parameters<typeof proxyServer>[0] = {}): Promise<ProxyServer> {
  const proxy = await proxyServer(options);
  servers.push(proxy);
  return proxy;
}

beforeAll(async () => {
  trusted = await authority();
  client = await trusted.issue('DNS:client');
});
afterEach(async () => {
  await closeClients();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
afterAll(() => trusted.close());

describe('certificates', () => {
  it('of an own authority are trusted when it is named', async () => {
    const server = await serverWith(await trusted.issue('IP:127.0.0.1'));
    const known = fixedClient(server.origin, { tls: { ca: trusted.ca } }).client;
    expect((await known.json({}, context)).value).toBe('reached');
    const error = await errorOf(fixedClient(server.origin).client.json({}, context));
    expect(error).toMatchObject({ fault: 'tls', message: expect.stringMatching(/certificate.*ca_cert_chain/) });
    expect(error.message).not.toMatch(/tried/);
    const unsafe = fixedClient(server.origin, { tls: { verify: false } }).client;
    expect((await unsafe.json({}, context)).value).toBe('reached');
  });

  it.each([
    ['IP:127.0.0.1', -1, /has expired/],
    ['DNS:elsewhere.example.org', 1, /for other names than the one in the address/],
  ])('for %s (%i days) are refused with the reason', async (name, days, message) => {
    const server = await serverWith(await trusted.issue(name, { days }));
    const error = await errorOf(fixedClient(server.origin, { tls: { ca: trusted.ca } }).client.json({}, context));
    expect(error).toMatchObject({ fault: 'tls', message: expect.stringMatching(message) });
    expect(server.requests).toEqual([]);
  });

  it('of the client are shown to the system', async () => {
    const mutual = {
      ...(await trusted.issue('IP:127.0.0.1')),
      ca: trusted.ca,
      requestCert: true,
      rejectUnauthorized: true,
    };
    const server = await serverWith(mutual);
    const { cert, key } = client;
    const known = fixedClient(server.origin, { tls: { ca: trusted.ca, cert, key } }).client;
    expect((await known.json({}, context)).value).toBe('reached');
    const error = await errorOf(
      fixedClient(server.origin, { tls: { ca: trusted.ca }, retry: ONCE }).client.json({}, context),
    );
    expect(error).toMatchObject({
      fault: 'tls',
      message: expect.stringMatching(/requires a client certificate.*client_cert/),
    });
  });

  it('of the client are shown to no other system', async () => {
    const asking = {
      ...(await trusted.issue('IP:127.0.0.1')),
      ca: trusted.ca,
      requestCert: true,
      rejectUnauthorized: false,
    };
    const [server, other] = [await serverWith(asking), await serverWith(asking)];
    const shown = by(({ socket }) => json((socket as TLSSocket).authorized));
    server.at('/here', shown);
    other.at('/there', shown);
    server.at('/away', (response) => response.writeHead(302, { location: `${other.origin}/there` }).end());
    const { cert, key } = client;
    const tls = { ca: trusted.ca, cert, key };
    const known = fixedClient(server.origin, { tls, otherOrigins: 'without_credentials' }).client;
    expect((await known.json({ path: 'here' }, context)).value).toBe(true);
    expect((await known.json({ path: 'away' }, context)).value).toBe(false);
  });

  it('and keys that cannot be used are refused in words, and without the key', async () => {
    const { cert } = client;
    const wrong = [
      { cert, key: 'no key' },
      { cert, key: (await trusted.issue('DNS:x')).key },
      { ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
    ];
    for (const tls of wrong) {
      const error = await errorOf(fixedClient('https://127.0.0.1:1', { tls }).client.json({}, context));
      expect(error).toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('client_cert and client_key must be PEM'),
      });
      expect(JSON.stringify(error.cause ?? '')).not.toContain('PRIVATE KEY');
    }
    expect(() => fixedClient('https://127.0.0.1:1', { tls: { cert } })).toThrow('needs its key');
  });

  it('that never come are given up', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const { client: asked, waits } = fixedClient(`https://127.0.0.1:${port}`, {
      limits: { connectSeconds: 0.2 },
      retry: { attempts: 2 },
    });
    const error = await errorOf(asked.json({ method: 'POST' }, context));
    expect(error).toMatchObject({ fault: 'timeout', message: expect.stringContaining('no connection in time') });
    expect(waits).toHaveLength(1);
    await asked.close();
    silent.close();
  });

  it('are not what a server without TLS has', async () => {
    const plain = await serverWith(undefined);
    const error = await errorOf(
      fixedClient(plain.origin.replace('http:', 'https:'), { retry: ONCE }).client.json({}, context),
    );
    expect(error).toMatchObject({ fault: 'tls', message: expect.stringContaining('does not speak TLS at this port') });
  });
});

describe('a proxy', () => {
  it('forwards plain requests, with its own login', async () => {
    const server = await serverWith(undefined);
    const proxy = await proxyWith({ login: 'us er:pa:ss@1' });
    const auth = { kind: 'bearer', token: 'of-the-system' } as const;
    const { client: known } = fixedClient(server.origin, { proxy: proxy.url, auth });
    expect((await known.json({ path: '/', query: { a: 1 } }, context)).value).toBe('reached');
    expect(proxy.seen.map(({ line }) => line)).toEqual([`GET ${server.origin}/?a=1`]);
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer of-the-system',
      host: new URL(server.origin).host,
    });
    expect(server.requests[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  it('opens tunnels for encrypted ones, and sees no credentials', async () => {
    const server = await serverWith(await trusted.issue('IP:127.0.0.1'));
    const proxy = await proxyWith({ login: 'user:secret' });
    const { client: known } = fixedClient(server.origin, {
      proxy: proxy.url,
      tls: { ca: trusted.ca },
      auth: { kind: 'bearer', token: 't0ken' },
    });
    expect((await known.json({}, context)).value).toBe('reached');
    expect((await known.json({}, context)).value).toBe('reached');
    expect(new Set(proxy.seen.map(({ line }) => line))).toEqual(new Set([`CONNECT ${new URL(server.origin).host}`]));
    expect(proxy.seen[0]?.headers.authorization).toBeUndefined();
    expect(server.requests[0]?.headers['proxy-authorization']).toBeUndefined();
    const distrusting = fixedClient(server.origin, { proxy: proxy.url });
    expect(await errorOf(distrusting.client.json({}, context))).toMatchObject({ fault: 'tls' });
  });

  it.each([false, true])(
    'that wants another login or refuses is told apart from the system (encrypted: %s)',
    async (encrypted) => {
      const server = await serverWith(encrypted ? await trusted.issue('IP:127.0.0.1') : undefined);
      const proxy = await proxyWith({ login: 'user:right' });
      const settings = { tls: { ca: trusted.ca }, retry: ONCE };
      const asked = fixedClient(server.origin, { ...settings, proxy: proxy.url.replace('right', 'wr0ng-one') });
      const error = await errorOf(asked.client.json({}, context));
      expect(error).toMatchObject({ fault: 'proxy', message: expect.stringContaining('refused by the proxy (407)') });
      expect(`${error.message} ${JSON.stringify(error.cause)}`).not.toContain('wr0ng-one');
      expect(server.requests).toEqual([]);
    },
  );

  it('that refuses the address, or is not there', async () => {
    const server = await serverWith(await trusted.issue('IP:127.0.0.1'));
    const proxy = await proxyWith({ refuses: 403 });
    const settings = { tls: { ca: trusted.ca }, retry: ONCE };
    const refused = await errorOf(
      fixedClient(server.origin, { ...settings, proxy: proxy.url }).client.json({}, context),
    );
    expect(refused).toMatchObject({
      fault: 'proxy',
      message: expect.stringContaining('not let through by the proxy (403)'),
    });
    const gone = await errorOf(
      fixedClient(server.origin, { ...settings, proxy: 'http://127.0.0.1:1' }).client.json({}, context),
    );
    expect(gone).toMatchObject({
      fault: 'proxy',
      message: expect.stringMatching(/the proxy does not let it through \(no connection: ECONNREFUSED.*http_proxy/),
    });
  });

  it('that never answers is given up', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const settings = { retry: ONCE, limits: { connectSeconds: 0.2, requestSeconds: 2 } };
    const asked = fixedClient('https://127.0.0.1:1', { ...settings, proxy: `http://127.0.0.1:${port}` });
    expect(await errorOf(asked.client.json({}, context))).toMatchObject({ fault: 'proxy' });
    silent.close();
  });
});
