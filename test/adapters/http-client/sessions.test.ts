import { describe, expect, it } from 'vitest';
import type { HttpSessionAuth } from '../../../src/ports/index.ts';
import { by, content, json, reset, status } from '../../support/misbehaving-server.ts';
import { context, errorOf, fixedClient, startedServer } from './fixed-client.ts';

const server = startedServer();

const LOGIN: HttpSessionAuth = {
  kind: 'session',
  login: { path: 'login', json: { user: 'nina', password: 'hunter2 hunter2' } },
  token: { member: 'data.token' },
  header: 'Authorization',
  scheme: 'Bearer',
  logout: { path: 'logout', method: 'DELETE' },
};
const lines = () => server.requests.map(({ method, path }) => `${method} ${path}`);

describe('a session', () => {
  it('begins with the first request, carries all others, and ends with the client', async () => {
    server.at('/login', json({ data: { token: 't0ken-one' } }));
    server.at('/hosts', json([1]));
    server.at('/logout', status(204));
    const { client } = fixedClient(server.origin, { auth: LOGIN, headers: { 'App-Token': 'app' } });
    await Promise.all([client.json({ path: 'hosts' }, context), client.json({ path: 'hosts' }, context)]);
    await client.close();
    await client.close();
    expect(lines()).toEqual(['POST /login', 'GET /hosts', 'GET /hosts', 'DELETE /logout']);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer t0ken-one',
      'Bearer t0ken-one',
      'Bearer t0ken-one',
    ]);
    expect(server.requests.map(({ headers }) => headers['app-token'])).toEqual(['app', 'app', 'app', 'app']);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ user: 'nina', password: 'hunter2 hunter2' });
  });

  it('that has ended meanwhile begins anew, once', async () => {
    let sessions = 0;
    server.at(
      '/login',
      by(() => json({ data: { token: `t${++sessions}` } })),
    );
    server.at(
      '/hosts',
      by(({ headers }) => (headers.authorization === 'Bearer t2' ? json([1]) : status(401))),
    );
    const { client } = fixedClient(server.origin, { auth: { ...LOGIN, logout: { path: 'hosts' } } });
    expect((await client.json({ path: 'hosts' }, context)).value).toEqual([1]);
    expect(sessions).toBe(2);
    server.at('/hosts', status(401));
    expect(await errorOf(client.json({ path: 'hosts' }, context))).toMatchObject({
      fault: 'unauthenticated',
      message: expect.stringContaining('it does not accept the session, also a new one'),
    });
    expect(sessions).toBe(3);
  });

  it.each([
    ['a header of the answer', { header: 'X-Subject-Token' }, status(201, { 'x-subject-token': 'abc' }), 'abc'],
    ['its text', 'text' as const, content('"abc.def"\n'), 'abc.def'],
    ['a number', { member: 'id' }, json({ id: 17 }), '17'],
  ])('has its token from %s', async (_, token, answer, sent) => {
    server.at('/login', answer);
    server.at('/hosts', json([1]));
    const auth = { kind: 'session', login: { path: 'login' }, token, header: 'X-Auth-Token' } as const;
    await fixedClient(server.origin, { auth }).client.json({ path: 'hosts' }, context);
    expect(server.requests[1]?.headers['x-auth-token']).toBe(sent);
  });

  it('may stand in cookies', async () => {
    server.at(
      '/login',
      status(200, { 'set-cookie': ['sid=a1; Path=/; Expires=Wed, 09 Jun 2027 10:18:14 GMT', 'lang=de'] }),
    );
    server.at('/hosts', json([1]));
    const basic = { username: 'nina', password: 'pa55word' };
    const auth = { ...LOGIN, login: { path: 'login', basic }, token: 'cookies', logout: { path: 'gone' } } as const;
    const { client } = fixedClient(server.origin, { auth });
    await client.json({ path: 'hosts' }, context);
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${btoa('nina:pa55word')}`);
    expect(server.requests[1]?.headers).toMatchObject({ cookie: 'sid=a1; lang=de' });
    expect(server.requests[1]?.headers.authorization).toBeUndefined();
  });

  it('that is refused says what to look at, and no secret', async () => {
    const settings = { auth: LOGIN, secrets: ['hunter2 hunter2'] };
    server.at('/login', json({ message: 'no hunter2 hunter2 here' }, {}, 401));
    const error = await errorOf(fixedClient(server.origin, settings).client.json({ path: 'hosts' }, context));
    expect(error).toMatchObject({ fault: 'unauthenticated', status: 401 });
    expect(error.message).toMatch(/^POST http:\S+\/login gives no session \(401\): it does not accept the login/);
    expect(error.message).not.toContain('hunter2');
    server.at('/login', json({ data: { login: { status: 'FAILED' } } }));
    const without = await errorOf(fixedClient(server.origin, settings).client.json({ path: 'hosts' }, context));
    expect(without.message).toContain('is answered without a token at data.token: the login is refused');
  });

  it('is hidden in messages, and its end is nobody’s fault', async () => {
    server.at('/login', json({ data: { token: 'very-secret-token' } }));
    server.at('/hosts', json({ message: 'very-secret-token has no rights' }, {}, 403));
    server.at('/logout', reset());
    const { client } = fixedClient(server.origin, { auth: LOGIN });
    const error = await errorOf(client.json({ path: 'hosts' }, context));
    expect(error.message).toContain('it says');
    expect(error.message).not.toContain('very-secret');
    await client.close();
    expect(lines()).toEqual(['POST /login', 'GET /hosts', 'DELETE /logout']);
  });
});
