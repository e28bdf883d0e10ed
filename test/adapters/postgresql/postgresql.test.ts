import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { Database, type Sql } from '../../../src/adapters/storage/postgresql/database.ts';
import { settingsOf } from '../../../src/adapters/storage/postgresql/settings.ts';
import type { Storage } from '../../../src/ports/index.ts';
import { StoredJson } from '../../../src/ports/index.ts';
import { red, save } from '../../../src/testing/samples.ts';
import { cuttableLine } from '../../support/cuttable-line.ts';
import { hasPostgresql } from '../../support/postgresql-server.ts';
import { dropSchema, freshUrl, openStorage, silent, withRaw } from './harness.ts';

const urls: string[] = [];
const opened: Storage[] = [];

afterAll(async () => {
  for (const storage of opened) await storage.stop();
  for (const url of urls) await dropSchema(url);
});

async function schemaOfOwn(): Promise<string> {
  const url = await freshUrl();
  urls.push(url);
  return url;
}

async function started(url: string): Promise<Storage> {
  const storage = await openStorage(url);
  opened.push(storage);
  await storage.start();
  return storage;
}

function schemaOf(url: string): string {
  return new URL(url).searchParams.get('schema') ?? '';
}

describe.skipIf(!hasPostgresql)('PostgreSQL', () => {
  it('has everything in its own schema and nothing in public, and is made once by nodes that start together', async () => {
    const url = await schemaOfOwn();
    await Promise.all([started(url), started(url), started(url)]);
    const tables = await withRaw(url, async (client) => {
      const { rows } = await client.query(
        "SELECT table_schema FROM information_schema.tables WHERE table_name IN ('hosts', 'records')",
      );
      return rows.map(({ table_schema }) => table_schema);
    });
    expect(tables.filter((schema) => schema === schemaOf(url)).length).toBe(2);
    expect(tables).not.toContain('public');
  });

  it('keeps JSON to the letter: order, repeated and number-like members, NUL, halves of pairs', async () => {
    const storage = await started(await schemaOfOwn());
    const text = '{"z":1,"10":"ten","2":null,"z":"again","__proto__":"own","nul":"a\\u0000b","half":"\\ud800"}';
    await storage.hosts.saveLabels({
      account: red,
      entries: [{ hostname: 'alpha', labels: StoredJson.ofText(text) }],
      at: new Date(),
      actor: { kind: 'account', name: 'red' },
    });
    expect((await storage.hosts.get('alpha', null))?.labels.text).toBe(text);
    for await (const [record] of storage.hosts.scan({ scope: null, kind: 'all', state: 'any' }, 10))
      expect(record?.labels.text).toBe(text);
  });

  it('refuses a schema of a newer version, and leaves it as it is', async () => {
    const url = await schemaOfOwn();
    await (await started(url)).stop();
    await withRaw(url, (client) => client.query(`UPDATE ${schemaOf(url)}.schema_version SET version = 99`));
    await expect(started(url)).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('newer version'),
    });
  });

  it('works for a role that may not change the schema, with the grants that it prints', async () => {
    const url = await schemaOfOwn();
    const owner = await started(url);
    const role = `app${randomUUID().slice(0, 8)}`;
    await withRaw(url, async (client) => {
      await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
      for (const statement of owner.grants?.(role) ?? []) await client.query(statement);
    });
    const address = new URL(url);
    address.username = role;
    address.password = 'secret';
    const storage = await started(address.href);
    expect(await save(storage.hosts, { alpha: { n: 1 } })).toEqual(['created']);
    expect((await owner.hosts.get('alpha', null))?.labels.value).toEqual({ n: 1 });
    for await (const problem of storage.check({ fix: false })) expect(problem.subject).toContain(red.id);
    address.searchParams.set('schema', `${schemaOf(url)}x`);
    await expect(started(address.href)).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('storage grants'),
    });
    await storage.stop();
    await withRaw(url, (client) => client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`));
  });

  it('begins without the index for searches where its extension is out of reach of the role, and says so', async () => {
    const url = await schemaOfOwn();
    const role = `owner${randomUUID().slice(0, 8)}`;
    await withRaw(url, (client) =>
      client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'; CREATE SCHEMA ${schemaOf(url)} AUTHORIZATION ${role}`),
    );
    const address = new URL(url);
    address.username = role;
    address.password = 'secret';
    const storage = await started(address.href);
    expect(await storage.health()).toMatchObject({ ok: true, message: expect.stringContaining('pg_trgm') });
    expect(await save(storage.hosts, { alpha: { n: 1 } })).toEqual(['created']);
    await storage.stop();
    await withRaw(url, (client) => client.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`));
  });

  it('names what is wrong with a login or an address, without the password', async () => {
    const url = new URL(await schemaOfOwn());
    url.password = 'wr0ng-secret';
    const refused = started(url.href);
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('refused the credentials') });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('wr0ng-secret') });
    const elsewhere = new URL(await schemaOfOwn());
    elsewhere.pathname = '/nowhere';
    await expect(started(elsewhere.href)).rejects.toMatchObject({ message: expect.stringContaining('createdb') });
    const encrypted = (await schemaOfOwn()).replace('sslmode=disable', 'sslmode=verify-full');
    await expect(started(encrypted)).rejects.toMatchObject({ message: expect.stringContaining('sslmode=disable') });
  });

  it('goes on after the server ended its connections, and answers `unavailable` where it does not answer', async () => {
    const url = await schemaOfOwn();
    const storage = await started(url);
    await save(storage.hosts, { alpha: { n: 1 } });
    const name = `app_${randomUUID().slice(0, 8)}`;
    const other = await started(`${url}&application_name=${name}`);
    await other.hosts.get('alpha', null);
    await withRaw(url, (client) =>
      client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [name]),
    );
    expect((await other.hosts.get('alpha', null))?.hostname).toBe('alpha');
    await other.stop();
    await expect(other.hosts.get('alpha', null)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('writes end where the way to the server has died without a word, and go on by another connection', async () => {
    const line = await cuttableLine(await schemaOfOwn());
    const storage = await started(line.url);
    await save(storage.hosts, { alpha: { n: 1 } });
    line.choke(0);
    await expect(save(storage.hosts, { alpha: { n: 2 } })).rejects.toMatchObject({ code: 'unavailable' });
    await save(storage.hosts, { alpha: { n: 3 } });
    expect((await storage.hosts.get('alpha', null))?.labels.value).toEqual({ n: 3 });
    await line.close();
  }, 90_000);

  it('answers `unavailable` where a connection breaks under a statement or between two, and goes on by another one', async () => {
    const line = await cuttableLine(await schemaOfOwn());
    const database = new Database(await settingsOf(line.url, process.cwd()), silent);
    database.open();
    const works: ((sql: Sql) => Promise<unknown>)[] = [
      (sql) => sql.rows('SELECT pg_sleep(5)'),
      async (sql) => {
        await sleep(500);
        await sql.rows('SELECT 1');
      },
    ];
    for (const work of works) {
      const broken = expect(database.transaction(work)).rejects.toMatchObject({ code: 'unavailable' });
      await expect.poll(() => line.connections()).toBe(1);
      await sleep(100);
      await line.cut();
      await broken;
      await line.mend();
      expect(await database.rows('SELECT 1')).toEqual([[1]]);
    }
    await database.close();
    await line.close();
  });

  it('two writers that meet on many hosts in other orders both get through', async () => {
    const url = await schemaOfOwn();
    const [one, two] = [await started(url), await started(url)];
    const names = Array.from({ length: 300 }, (_, n) => `h${n}`);
    const labels = (order: readonly string[], n: number) => Object.fromEntries(order.map((name) => [name, { n }]));
    await Promise.all(
      [1, 2, 3].flatMap((round) => [
        save(one.hosts, labels(names, round)),
        save(two.hosts, labels(names.toReversed(), round)),
      ]),
    );
    expect(await one.hosts.count({ scope: null, kind: 'all', state: 'any' })).toBe(300);
  });
});
