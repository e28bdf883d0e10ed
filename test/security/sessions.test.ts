import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adminInterface } from '../../src/adapters/admin/routes.ts';
import { buildHttpApp } from '../../src/adapters/http/app.ts';
import { changeUser } from '../../src/app/users/operations/change-user.ts';
import { endSessions } from '../../src/app/users/operations/end-sessions.ts';
import { OperationsApp, PASSWORD } from '../app/operations/operations-app.ts';
import { DATABASES, type OpenedDatabase } from './support/opened-stores.ts';

type Http = ReturnType<typeof buildHttpApp>;
type Headers = Readonly<Record<string, string>>;

const SESSION = '/admin/api/session';
const TLS = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' };

/** One node of the service. */
class Node {
  readonly app: OperationsApp;
  readonly http: Http;

  constructor(app: OperationsApp) {
    this.app = app;
    const { services, executor } = app.app;
    const mounts = [adminInterface({ version: '0' })({ services, executor })];
    this.http = buildHttpApp({ version: '0' }, { services, executor, mounts });
  }

  static async over(database: OpenedDatabase, config: object = {}): Promise<Node> {
    return new Node(await OperationsApp.over(await database.reopen(), { TRUSTED_PROXIES: 0, ...config } as never));
  }

  /** The cookie of somebody who logs in; with the browser's other cookies. */
  async logIn(name = 'olga', headers: Headers = {}): Promise<string> {
    const payload = { name, password: PASSWORD };
    const answer = await this.http.inject({ method: 'POST', url: SESSION, payload, headers });
    expect(answer.statusCode).toBe(200);
    return String(answer.headers['set-cookie']).split(';')[0] ?? '';
  }

  async isIn(cookie: string, headers: Headers = {}): Promise<boolean> {
    const answer = await this.http.inject({ url: SESSION, headers: { cookie, ...headers } });
    return answer.json() !== null;
  }

  async call(operation: string, cookie: string, payload: object = {}) {
    const url = `/admin/api/operations/${operation}`;
    return this.http.inject({ method: 'POST', url, payload, headers: { cookie } });
  }

  async logOut(cookie: string): Promise<void> {
    await this.http.inject({ method: 'DELETE', url: SESSION, headers: { cookie } });
  }

  async stop(): Promise<void> {
    await this.http.close();
    await this.app.stop();
  }
}

describe.each(DATABASES)('sessions over %s', (_name, open) => {
  let database: OpenedDatabase;
  let first: Node;
  let second: Node;
  let cookie: string;
  beforeAll(async () => {
    database = await open();
    [first, second] = [await Node.over(database), await Node.over(database)];
    await first.app.addCaller('olga', { roles: ['objects'] });
    await first.app.addCaller('boss', { roles: ['all'], admin: true });
    await first.app.addCaller('reader', { roles: ['objects'], read_only: true });
  });
  afterAll(async () => {
    await second.stop();
    await first.stop();
    await database.close();
  });
  beforeEach(async () => {
    cookie = await first.logIn();
  });
  afterEach(async () => {
    await first.app.run(endSessions, { name: 'olga' });
  });

  it('hold on every node, and a copy of the cookie is worth nothing once its owner logged out', async () => {
    const other = await second.logIn();
    expect([await first.isIn(cookie), await second.isIn(cookie)]).toEqual([true, true]);
    await first.logOut(cookie);
    expect([await first.isIn(cookie), await second.isIn(cookie)]).toEqual([false, false]);
    expect((await second.call('hosts/host-counters', cookie)).statusCode).toBe(401);
    expect(await first.isIn(other)).toBe(true);
  });

  it('are listed and ended by their user, one or all others, also by who may only read', async () => {
    const others = [await second.logIn(), await second.logIn()];
    const { sessions } = (await first.call('users/list-own-sessions', cookie)).json();
    expect(sessions).toHaveLength(3);
    expect(JSON.stringify(sessions)).not.toContain(decodeURIComponent(cookie.split('=')[1] ?? ''));
    expect(sessions.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
    const foreign = sessions.find(({ current }: { current: boolean }) => !current).session;
    expect((await first.call('users/end-own-sessions', cookie, { session: foreign })).json().ended).toBe(1);
    expect((await first.call('users/end-own-sessions', cookie)).json().ended).toBe(1);
    for (const other of others) expect(await second.isIn(other)).toBe(false);
    expect(await second.isIn(cookie)).toBe(true);
    const reader = await first.logIn('reader');
    expect((await first.call('users/end-own-sessions', reader)).statusCode).toBe(200);
  });

  it('of others are listed and ended by administrators only', async () => {
    const handle = async (by: string, name: string) =>
      (await first.call('users/list-sessions', by, { name })).json().sessions?.[0]?.session as string | undefined;
    const boss = await first.logIn('boss');
    const mine = await handle(boss, 'olga');
    expect(await handle(cookie, 'boss')).toBeUndefined();
    const bossSession = await handle(boss, 'boss');
    expect((await first.call('users/end-own-sessions', cookie, { session: bossSession })).statusCode).toBe(404);
    expect((await first.call('users/end-sessions', cookie, { name: 'boss' })).statusCode).toBe(401);
    expect(await second.isIn(boss)).toBe(true);
    expect((await first.call('users/end-sessions', boss, { name: 'olga', session: mine })).json().ended).toBe(1);
    expect(await second.isIn(cookie)).toBe(false);
  });

  it('are over when the password changes or the user is disabled, and do not come back', async () => {
    const change = (value: object) => first.app.run(changeUser, { name: 'olga', ...value });
    await change({ disabled: true });
    expect(await second.isIn(cookie)).toBe(false);
    await change({ disabled: false });
    expect(await second.isIn(cookie)).toBe(false);
    const again = await second.logIn();
    await change({ password: PASSWORD });
    expect(await first.isIn(again)).toBe(false);
    const own = await second.logIn();
    const other = await second.logIn();
    const passwords = { present_password: PASSWORD, new_password: `${PASSWORD} too` };
    expect((await first.call('users/change-own-password', own, passwords)).statusCode).toBe(200);
    expect([await second.isIn(own), await second.isIn(other)]).toEqual([false, false]);
    await change({ password: PASSWORD });
  });

  it('follow the roles of their user at once, on every node', async () => {
    const save = { hostname: 'web1', account: 'crm', labels: {} };
    expect((await second.call('hosts/save-host', cookie, save)).statusCode).not.toBe(401);
    await first.app.run(changeUser, { name: 'olga', roles: ['rules'] });
    expect((await second.call('hosts/save-host', cookie, save)).statusCode).toBe(401);
    await first.app.run(changeUser, { name: 'olga', roles: ['objects'] });
  });

  it('get an id of their own with each log-in, and what the browser showed before is over', async () => {
    const planted = await first.logIn();
    const begun = await second.logIn('boss', { cookie: planted });
    expect(begun).not.toBe(planted);
    expect(await first.isIn(planted)).toBe(false);
    expect(await first.isIn(begun)).toBe(true);
  });

  it('end when somebody guesses at the password in them', async () => {
    const guess = { present_password: 'wrong', new_password: `${PASSWORD} too` };
    for (let n = 0; n < 5; n++) await first.call('users/change-own-password', cookie, guess);
    expect(await second.isIn(cookie)).toBe(false);
    expect(await second.isIn(await second.logIn())).toBe(true);
  });

  it('keep nothing in the store that opens them', async () => {
    const user = await first.app.app.services.users.byName('olga');
    const records = await database.storage.sessions.ofUser(user?.id ?? '');
    const sealed = decodeURIComponent(cookie.split('=')[1] ?? '');
    for (const { id } of records) {
      const { secrets } = first.app.app.services;
      expect(await secrets.open(sealed, 'admin session')).not.toContain(id);
    }
    const parts: string[] = [];
    for await (const { records: batch } of database.storage.transfer.snapshot(100)) parts.push(JSON.stringify(batch));
    for (const { id } of records) expect(parts.join()).not.toContain(id);
  });

  it('over TLS have a cookie that only this host can set, and no other is taken there', async () => {
    const behind = await Node.over(database, { TRUSTED_PROXIES: 1 });
    const answer = await behind.http.inject({
      method: 'POST',
      url: SESSION,
      payload: { name: 'olga', password: PASSWORD },
      headers: TLS,
    });
    const set = String(answer.headers['set-cookie']);
    expect(set).toMatch(/^__Host-muster_session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const name = set.split(';')[0] ?? '';
    expect(await behind.isIn(name, TLS)).toBe(true);
    expect(await behind.isIn(cookie, TLS)).toBe(false);
    expect(await behind.isIn(name.replace('__Host-', ''), TLS)).toBe(false);
    await behind.stop();
  });

  it('are audited: who came and went, and who did not get in', async () => {
    await first.logOut(cookie);
    const payload = { name: 'olga', password: 'wrong' };
    await first.http.inject({ method: 'POST', url: SESSION, payload });
    await first.app.app.services.audit.settled();
    const entries = await database.storage.audit.latest({ limit: 5 });
    const told = entries.map(({ actor, operation, outcome }) => `${actor} ${operation} ${outcome}`);
    expect(told).toContain('olga session/log-out done');
    expect(told).toContain('olga session/log-in done');
    expect(told).toContainEqual(expect.stringMatching(/^olga \S+ unauthenticated$/));
  });
});
