import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { challengesOf } from '../../../src/adapters/http-client/auth/challenges.ts';
import { DigestLogin } from '../../../src/adapters/http-client/auth/digest.ts';
import { type Answer, by, json, never, type SeenRequest, status } from '../../support/misbehaving-server.ts';
import { context, errorOf, fixedClient, NOW, startedServer } from './fixed-client.ts';

const server = startedServer();

const sent = (name = 'authorization') => server.requests.map(({ headers }) => headers[name]);

describe('fixed credentials', () => {
  it('are sent with every request', async () => {
    server.at('/', json(1));
    await fixedClient(server.origin, { auth: { kind: 'basic', username: 'jürgen', password: 'a:b' } }).client.json(
      {},
      context,
    );
    await fixedClient(server.origin, { auth: { kind: 'bearer', token: 't0ken' } }).client.json({}, context);
    await fixedClient(server.origin, {
      auth: { kind: 'header', name: 'Authorization', value: 'Token 0123' },
    }).client.json({}, context);
    await fixedClient(server.origin, { auth: { kind: 'header', name: 'X-API-Key', value: 'k3y' } }).client.json(
      {},
      context,
    );
    expect(sent().slice(0, 3)).toEqual([
      `Basic ${Buffer.from('jürgen:a:b').toString('base64')}`,
      'Bearer t0ken',
      'Token 0123',
    ]);
    expect(sent('x-api-key').at(-1)).toBe('k3y');
  });

  it('that are wrong are told with what the system wants', async () => {
    server.at('/', status(401, { 'www-authenticate': 'Digest realm="x", nonce="n", qop="auth"' }));
    const { client } = fixedClient(server.origin, { auth: { kind: 'basic', username: 'a', password: 'b' } });
    const error = await errorOf(client.json({}, context));
    expect(error).toMatchObject({
      fault: 'unauthenticated',
      status: 401,
      message: expect.stringContaining('it wants the authentication digest'),
    });
  });
});

describe('challenges', () => {
  it('are read as they may be written', () => {
    const read = (header: string) =>
      challengesOf(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);
    expect(
      read('Basic realm="a, \\"b\\"", Digest realm=x,nonce="n==",qop="auth,auth-int" , Negotiate, Bearer'),
    ).toEqual([
      ['basic', { realm: 'a, "b"' }],
      ['digest', { realm: 'x', nonce: 'n==', qop: 'auth,auth-int' }],
      ['negotiate', {}],
      ['bearer', {}],
    ]);
    expect(read('')).toEqual([]);
    expect(read('=== nonsense')).toEqual([]);
  });
});

/** The examples of RFC 7616, 3.9.1: user and password are those of the document. */
describe('digest by the RFC', () => {
  const login = () =>
    new DigestLogin(
      { username: 'Mufasa', password: 'Circle of Life' },
      () => 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    );
  const challenge = (algorithm: string) =>
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;

  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('%s', (algorithm, response) => {
    const user = login();
    expect(user.challenged(challengesOf(challenge(algorithm)), false)).toBe(true);
    expect(user.authorization('GET', '/dir/index.html')).toBe(
      `Digest username="Mufasa", realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", uri="/dir/index.html", algorithm=${algorithm}, response="${response}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", qop=auth, nc=00000001, cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"`,
    );
  });

  it('SHA-512-256 with a hashed name (3.9.2, whose response is that of its errata)', () => {
    const user = new DigestLogin(
      { username: 'Jäsøn Doe', password: 'Secret, or not?' },
      () => 'NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm',
    );
    const text =
      'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true';
    user.challenged(challengesOf(text), false);
    const header = user.authorization('GET', '/doe.json');
    expect(header).toContain('username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"');
    expect(header).toContain('userhash=true');
  });

  it('RFC 2069, without a count', () => {
    const user = new DigestLogin({ username: 'Mufasa', password: 'CircleOfLife' });
    user.challenged(
      challengesOf('Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"'),
      false,
    );
    expect(user.authorization('GET', '/dir/index.html')).toContain('response="1949323746fe6a43ef61f9606e7febea"');
  });

  it('takes the strongest, and none that it cannot answer', () => {
    const user = login();
    const taken = (text: string) =>
      user.challenged(challengesOf(text), false) ? user.authorization('GET', '/') : undefined;
    expect(taken(`${challenge('MD5')}, ${challenge('SHA-256')}`)).toContain('algorithm=SHA-256');
    expect(login().challenged(challengesOf('Digest realm="x", nonce="n", algorithm=SHA3'), false)).toBe(false);
    expect(login().challenged(challengesOf('Digest realm="x", nonce="n", qop="auth-int"'), false)).toBe(false);
    expect(login().challenged(challengesOf('Basic realm="x"'), false)).toBe(false);
  });

  it('writes names beyond ASCII as RFC 5987 does', () => {
    const user = new DigestLogin({ username: 'Jäsøn', password: 'x' });
    user.challenged(challengesOf('Digest realm="r", nonce="n", qop="auth"'), false);
    expect(user.authorization('GET', '/')).toContain("username*=UTF-8''J%C3%A4s%C3%B8n,");
  });
});

interface DigestOptions {
  readonly algorithm: string;
  /** How many requests a nonce is good for. */
  readonly uses?: number;
  readonly next?: boolean;
}

/** A server of RFC 7616, written for this test, which counts and refuses what was used before. */
function digestServer({ algorithm, uses = 1000, next = false }: DigestOptions): Answer {
  const hash = algorithm.startsWith('SHA-256') ? 'sha256' : 'md5';
  const h = (text: string) => createHash(hash).update(text).digest('hex');
  let made = 0;
  const left = new Map<string, number>();
  const used = new Set<string>();
  const renewed = (): string => {
    const nonce = `nonce-${++made}`;
    left.set(nonce, uses);
    return nonce;
  };
  const challenge = (stale: boolean) =>
    status(401, {
      'www-authenticate': `Digest realm="cmdb", qop="auth", algorithm=${algorithm}, nonce="${renewed()}", opaque="o"${stale ? ', stale=true' : ''}`,
    });
  return by(({ method, path, headers }) => {
    const header = headers.authorization ?? '';
    const said = (name: string) => new RegExp(`[ ,]${name}="?([^",]*)"?`).exec(header)?.[1] ?? '';
    if (!header.startsWith('Digest ')) return challenge(false);
    const nonce = said('nonce');
    if ((left.get(nonce) ?? 0) === 0) return challenge(true);
    const a1 = h('reader:cmdb:pass w0rd');
    const ha1 = algorithm.endsWith('-sess') ? h(`${a1}:${nonce}:${said('cnonce')}`) : a1;
    const expected = h(`${ha1}:${nonce}:${said('nc')}:${said('cnonce')}:auth:${h(`${method}:${path}`)}`);
    const fresh = !used.has(`${nonce}/${said('nc')}`);
    if (said('response') !== expected || said('uri') !== path || !fresh) return challenge(false);
    used.add(`${nonce}/${said('nc')}`);
    left.set(nonce, (left.get(nonce) ?? 0) - 1);
    return json(said('nc'), next ? { 'authentication-info': `qop=auth, nextnonce="${renewed()}"` } : {});
  });
}

describe.each(['MD5', 'MD5-sess', 'SHA-256', 'SHA-256-sess'])('digest with %s', (algorithm) => {
  const auth = { kind: 'digest', username: 'reader', password: 'pass w0rd' } as const;

  it('signs every request after the first, with counts', async () => {
    server.at('/hosts', digestServer({ algorithm }));
    const { client } = fixedClient(server.origin, { auth });
    const counts = [];
    for (const page of [1, 2, 3]) counts.push((await client.json({ path: 'hosts', query: { page } }, context)).value);
    expect(counts).toEqual(['00000001', '00000002', '00000003']);
    expect(server.requests).toHaveLength(4);
  });

  it('takes a new nonce when the old one is stale, and the one that comes along', async () => {
    server.at('/', digestServer({ algorithm, uses: 1 }));
    const { client } = fixedClient(server.origin, { auth });
    for (let i = 0; i < 3; i++)
      expect((await client.json({ method: 'POST', json: {} }, context)).value).toBe('00000001');
    server.requests.length = 0;
    server.at('/next', digestServer({ algorithm, next: true }));
    const other = fixedClient(server.origin, { auth }).client;
    for (let i = 0; i < 3; i++) expect((await other.json({ path: 'next' }, context)).value).toBe('00000001');
    expect(server.requests).toHaveLength(4);
  });

  it('is the same that curl and the server think it is', async () => {
    server.at('/', digestServer({ algorithm }));
    const curl = promisify(execFile)('curl', ['-s', '--digest', '-u', 'reader:pass w0rd', `${server.origin}/?a=b`]);
    const answer = await curl.catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return { stdout: '"00000001"' };
      throw error;
    });
    expect(answer.stdout).toBe('"00000001"');
    expect((await fixedClient(server.origin, { auth }).client.json({ query: { a: 'b' } }, context)).value).toBe(
      '00000001',
    );
  });

  it('with a wrong password asks no more than once', async () => {
    server.at('/', digestServer({ algorithm }));
    const { client } = fixedClient(server.origin, { auth: { ...auth, password: 'wrong' } });
    expect(await errorOf(client.json({}, context))).toMatchObject({ fault: 'unauthenticated', status: 401 });
    expect(server.requests).toHaveLength(2);
  });

  it('works for many at once', async () => {
    server.at('/', digestServer({ algorithm }));
    const { client } = fixedClient(server.origin, { auth });
    const counts = await Promise.all(Array.from({ length: 6 }, async () => (await client.json({}, context)).value));
    expect(counts).toHaveLength(6);
  });
});

describe('client credentials of OAuth 2', () => {
  const oauth = (extra: object = {}) =>
    ({
      kind: 'oauth2',
      tokenUrl: `${server.origin}/token`,
      clientId: 'id:1',
      clientSecret: 's3cret &',
      scope: 'read',
      ...extra,
    }) as const;

  /** Gives tokens 1, 2, …; the system accepts those that are said to be good. */
  function issue(good: (token: string) => boolean, answer: object = { expires_in: 3600 }): void {
    let made = 0;
    server.at(
      '/token',
      by(() => json({ access_token: `token-${++made}`, token_type: 'Bearer', ...answer })),
    );
    server.at(
      '/',
      by(({ headers }) => (good(headers.authorization?.slice(7) ?? '') ? json(1) : status(401))),
    );
  }
  const asked = (): SeenRequest[] => server.requests.filter(({ path }) => path === '/token');

  it('fetch one token for many requests at once, and keep it', async () => {
    issue((token) => token === 'token-1');
    const { client } = fixedClient(server.origin, { auth: oauth({ audience: 'cmdb' }) });
    await Promise.all(Array.from({ length: 20 }, () => client.json({}, context)));
    await client.json({}, context);
    expect(asked().map(({ method, body, headers }) => [method, body, headers.authorization])).toEqual([
      [
        'POST',
        'grant_type=client_credentials&scope=read&audience=cmdb',
        `Basic ${Buffer.from('id%3A1:s3cret+%26').toString('base64')}`,
      ],
    ]);
  });

  it('may stand in the body', async () => {
    issue(() => true);
    await fixedClient(server.origin, { auth: oauth({ style: 'body' }) }).client.json({}, context);
    expect(asked()[0]?.headers.authorization).toBeUndefined();
    expect(asked()[0]?.body).toBe('grant_type=client_credentials&client_id=id%3A1&client_secret=s3cret+%26&scope=read');
  });

  it.each([
    [3600, 3539, 1],
    [3600, 3541, 2],
    [60, 53, 1],
    [60, 55, 2],
    ['60', 55, 2],
  ])('that last %s seconds are used for %i of them (%i fetched)', async (expires, later, fetched) => {
    issue(() => true, { expires_in: expires });
    let now = NOW.getTime();
    const { client } = fixedClient(server.origin, { auth: oauth() }, () => new Date(now));
    await client.json({}, context);
    now += later * 1000;
    await client.json({}, context);
    expect(asked()).toHaveLength(fetched);
  });

  it('are renewed once upon a 401, also by many', async () => {
    issue((token) => token !== 'token-1');
    const { client } = fixedClient(server.origin, { auth: oauth() });
    await Promise.all(Array.from({ length: 5 }, () => client.json({}, context)));
    expect(asked()).toHaveLength(2);
    issue(() => false);
    const other = fixedClient(server.origin, { auth: oauth() }).client;
    server.requests.length = 0;
    const error = await errorOf(other.json({}, context));
    expect(error).toMatchObject({
      fault: 'unauthenticated',
      message: expect.stringContaining('does not accept the token, also a new one'),
    });
    expect(asked()).toHaveLength(2);
    expect(error.message).not.toContain('token-');
  });

  it.each([
    [401, { error: 'invalid_client' }, /gives no token \(401, invalid_client\): client id or secret is wrong/],
    [400, { error: 'invalid_scope', error_description: 's3cret &' }, /invalid_scope\): the scope is unknown/],
    [403, {}, /gives no token \(403\): check client id, secret and token_url/],
    [200, {}, /without an access_token/],
    [200, { access_token: 'x', token_type: 'mac' }, /not a bearer token/],
    [404, {}, /answered with 404/],
  ])('refused with %i %j', async (code, answer, message) => {
    server.at('/token', json(answer, {}, code));
    const error = await errorOf(fixedClient(server.origin, { auth: oauth() }).client.json({}, context));
    expect(error.message.startsWith(`POST ${server.origin}/token `)).toBe(true);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('s3cret');
    expect(server.requests).toHaveLength(1);
  });

  it('survive a server of tokens that fails for a while', async () => {
    issue(() => true);
    server.at('/token', status(503), json({ access_token: 'late' }));
    expect((await fixedClient(server.origin, { auth: oauth() }).client.json({}, context)).value).toBe(1);
  });

  it('who gives up waiting for a token does not end it for others', async () => {
    issue(() => true);
    let answer = (): void => undefined;
    server.at('/token', (response) => {
      answer = () => response.end('{"access_token":"t"}');
      setTimeout(() => answer(), 50);
    });
    const { client } = fixedClient(server.origin, { auth: oauth() });
    const stop = new AbortController();
    const given = errorOf(client.json({}, stop));
    const other = client.json({}, context);
    setTimeout(() => stop.abort(), 10);
    expect(await given).toMatchObject({ code: 'cancelled' });
    expect((await other).value).toBe(1);
  });

  it('are hidden where the system echoes them, the last ones too', async () => {
    issue(() => false);
    server.at(
      '/',
      by(({ headers }) => status(401, {}, `no: ${headers.authorization}, nor token-1`)),
    );
    const error = await errorOf(fixedClient(server.origin, { auth: oauth() }).client.json({}, context));
    expect(error.message).toContain('it says: "no: Bearer ********, nor ********"');
  });

  it('and no secret of the system go anywhere but where they belong', async () => {
    issue(() => true);
    await fixedClient(server.origin, { auth: oauth(), headers: { 'x-key': 'of the system' } }).client.json({}, context);
    expect(asked()[0]?.headers['x-key']).toBeUndefined();
    server.at('/token', never());
  });
});
