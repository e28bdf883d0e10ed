import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { json, type MisbehavingServer, misbehavingServer, redirect, status } from '../../support/misbehaving-server.ts';
import { closeClients, context, errorOf, fixedClient } from './fixed-client.ts';

let server: MisbehavingServer;
let other: MisbehavingServer;

beforeAll(async () => {
  [server, other] = await Promise.all([misbehavingServer(), misbehavingServer()]);
});
afterEach(async () => {
  await closeClients();
  server.requests.length = 0;
  other.requests.length = 0;
});
afterAll(() => Promise.all([server.close(), other.close()]));

const settings = { auth: { kind: 'bearer', token: 't0ken-of-it' }, headers: { 'X-Key': 'k3y' } } as const;

describe('redirects', () => {
  it('within the system are followed with credentials', async () => {
    server.at('/a', redirect('/b?x=1', 301));
    server.at('/b', redirect('c', 307));
    server.at('/c', json('there'));
    const answer = await fixedClient(server.origin, settings).client.json({ path: 'a' }, context);
    expect(answer).toMatchObject({ value: 'there', url: `${server.origin}/c` });
    expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/a', 'Bearer t0ken-of-it'],
      ['/b?x=1', 'Bearer t0ken-of-it'],
      ['/c', 'Bearer t0ken-of-it'],
    ]);
  });

  it('to another one are refused', async () => {
    other.at('/login', json('stolen'));
    server.at('/', redirect(`${other.origin}/login?next=secret`));
    const error = await errorOf(fixedClient(server.origin, settings).client.json({}, context));
    expect(error).toMatchObject({
      fault: 'redirect',
      message: expect.stringContaining(`redirected to ${other.origin}/login, which is not ${server.origin}`),
    });
    expect(error.message).not.toContain('secret');
    expect(other.requests).toEqual([]);
  });

  it('to another one are followed without anything of the account, where that is asked for', async () => {
    other.at('/file', json('content'));
    server.at('/', redirect(`http://user:pass@${new URL(other.origin).host}/file`));
    const { client } = fixedClient(server.origin, { ...settings, otherOrigins: 'without_credentials' });
    expect((await client.json({ headers: { 'x-of-the-request': '1' } }, context)).value).toBe('content');
    expect(Object.keys(other.requests[0]?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(await errorOf(client.json({ method: 'PUT', json: 'secret' }, context))).toMatchObject({ fault: 'redirect' });
    server.at('/', redirect('http://169.254.169.254/latest'));
    expect(await errorOf(client.json({}, context))).toMatchObject({ fault: 'origin' });
  });

  it('in circles end', async () => {
    server.at('/', redirect('/'));
    const error = await errorOf(fixedClient(server.origin, { limits: { redirects: 3 } }).client.json({}, context));
    expect(error).toMatchObject({ fault: 'redirect', message: expect.stringContaining('more than 3 times') });
    expect(server.requests).toHaveLength(4);
  });

  it('of changes are followed only where the same is sent again', async () => {
    server.at('/kept', redirect('/there', 308));
    server.at('/lost', redirect('/there', 302));
    server.at('/there', json(1));
    const { client } = fixedClient(server.origin);
    await client.json({ method: 'POST', path: 'kept', json: { a: 1 } }, context);
    expect(server.requests.at(-1)).toMatchObject({ method: 'POST', path: '/there', body: '{"a":1}' });
    expect(await errorOf(client.json({ method: 'POST', path: 'lost', json: { a: 1 } }, context))).toMatchObject({
      fault: 'redirect',
    });
  });

  it.each(['', 'ftp://example.org/', 'http://', 'javascript:1'])('to %j lead nowhere', async (location) => {
    server.at('/', status(302, location === '' ? {} : { location }));
    expect(await errorOf(fixedClient(server.origin).client.json({}, context))).toMatchObject({ fault: 'redirect' });
  });
});
