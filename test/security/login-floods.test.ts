import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HashingQueue } from '../../src/app/users/hashing-queue.ts';
import { RefusalLimit } from '../../src/app/users/refusal-limit.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { DATABASES, type OpenedDatabase } from './support/opened-stores.ts';

/** Floods of logins from a whole network, and by somebody who may log in; beside them those who do it once. */

describe('a flood of logins from more addresses than there is room for', () => {
  it('refuses newcomers, and nobody who got in before', async () => {
    const ends: (() => void)[] = [];
    const queue = new HashingQueue({ atOnce: 1, mostWaiting: 10 });
    const run = (share: string, known: boolean) =>
      queue
        .run({ share, known }, () => new Promise<string>((resolve) => ends.push(() => resolve('hashed'))))
        .catch((error: { code: string }) => error.code);
    const flood = Array.from({ length: 20 }, (_, index) => run(`2001:db8:0:${index}::/64`, false));
    const known = run('192.0.2.7', true);
    let isOver = false;
    const all = Promise.all([known, ...flood]).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const [first, ...others] = await all;
    expect(first).toBe('hashed');
    expect(others.filter((answer) => answer === 'unavailable')).toHaveLength(10);
  });
});

describe('a user who is guarded', () => {
  const LIMIT = 3;

  it('stays it while made-up users are tried from the same network', () => {
    const refusals = new RefusalLimit({ limit: LIMIT });
    let tries = 0;
    const address = () => `2001:db8:0:${(tries++).toString(16)}::1`;
    const shown = (user: string) => ({ user, address: address(), key: `wrong ${tries}` });
    const home = { user: 'anna', address: '198.51.100.7', key: 'right' };
    refusals.succeeded(home);
    for (let guess = 0; guess < 4 * LIMIT; guess++) refusals.failed(shown('anna'));
    const isRefused = () => expect(() => refusals.admit(shown('anna'))).toThrow(/too many wrong passwords/);
    isRefused();
    for (let user = 0; user < 20_000; user++) refusals.failed(shown(`nobody ${user}`));
    isRefused();
    expect(() => refusals.admit(home)).not.toThrow();
  });
});

describe.each(DATABASES)('sessions of somebody who logs in all the time over %s', (_name, open) => {
  let database: OpenedDatabase;
  let app: OperationsApp;
  beforeAll(async () => {
    database = await open();
    app = await OperationsApp.over(await database.reopen());
    for (const name of ['flo', 'other']) await app.addCaller(name, { roles: ['objects'] });
  });
  afterAll(async () => {
    await app.stop();
    await database.close();
  });

  it('are bounded: the newest go on, and so do those of others', async () => {
    const { sessions, storage, users } = app.app.services;
    const from = { address: '192.0.2.1', client: 'a script' };
    const other = await sessions.begin('other', from);
    const begun: string[] = [];
    const logIn = async () => begun.push((await sessions.begin('flo', from))?.sealed ?? '');
    await logIn();
    const flo = await users.byName('flo');
    const [first] = await storage.sessions.ofUser(flo?.id ?? '');
    if (first === undefined) throw new Error('nobody logged in');
    // As many as one may have but for one: each further login looks at all of them.
    await Promise.all(
      Array.from({ length: 198 }, (_, count) => storage.sessions.begin({ ...first, id: `${first.id}${count}` })),
    );
    for (let count = 0; count < 20; count++) await logIn();
    expect(flo && (await sessions.ofUser(flo)).length).toBe(200);
    expect(await sessions.find(begun.at(-1) ?? '', { headers: {}, certificate: undefined })).toBeDefined();
    expect(await sessions.find(other?.sealed ?? '', { headers: {}, certificate: undefined })).toBeDefined();
  });
});
