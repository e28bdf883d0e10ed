import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations, SCHEMA_VERSION } from '../../../src/adapters/storage/sqlite/migrate.ts';
import { sqliteStorage } from '../../../src/adapters/storage/sqlite/storage.ts';
import type { StorageProblem } from '../../../src/ports/index.ts';
import { minute, red, save, saveNames } from '../../../src/testing/samples.ts';
import { fillStorage } from '../../../src/testing/stored-samples.ts';
import { countTurns } from '../../support/event-loop-turns.ts';
import { olderDatabase } from './older-database.ts';
import { openSqlite, type SqliteFolder, silent, sqliteFolder } from './sqlite-harness.ts';

let folder: SqliteFolder;
beforeEach(async () => {
  folder = await sqliteFolder();
});
afterEach(() => folder.remove());

async function refused(path: string): Promise<{ readonly code: string; readonly message: string }> {
  const storage = sqliteStorage({ path })({ logger: silent });
  try {
    await storage.start();
  } catch (error) {
    await storage.stop();
    return error as { code: string; message: string };
  }
  throw new Error('it started');
}

describe('sqlite: files', () => {
  it('makes the file and its directory', async () => {
    const path = join(dirname(folder.path), 'a', 'b', 'muster.db');
    const storage = await openSqlite(path);
    await storage.stop();
    expect((await stat(path)).isFile()).toBe(true);
  });

  it('knows how many migrations there are without reading the folder', () => {
    expect(migrations().length).toBe(SCHEMA_VERSION);
  });

  it('brings an empty file up to date once', async () => {
    await writeFile(folder.path, '');
    const messages: string[] = [];
    const logger = { ...silent, info: (message: string) => messages.push(message) };
    for (let start = 0; start < 2; start++) {
      const storage = sqliteStorage({ path: folder.path })({ logger });
      await storage.start();
      await storage.stop();
    }
    expect(messages.length).toBe(1);
    const database = new Database(folder.path, { readonly: true });
    expect(database.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    database.close();
  });

  it('brings a file of each earlier version up to date, with what it holds', async () => {
    for (let version = 1; version < SCHEMA_VERSION; version++) {
      const path = `${folder.path}-${version}`;
      await olderDatabase(path, version, `INSERT INTO token_uses (token_id, at) VALUES ('t', ${minute(1).getTime()})`);
      const storage = await openSqlite(path);
      expect(await storage.access.tokenUses(['t'])).toEqual(new Map([['t', minute(1)]]));
      await fillStorage(storage);
      expect(await storage.cron.states()).toHaveLength(3);
      expect(await storage.access.useOnce({ key: 'a', now: minute(1), until: minute(2) })).toBe(true);
      for await (const problem of storage.check({ fix: false })) expect(problem).toBeUndefined();
      await storage.stop();
    }
  }, 120_000);

  it('notes the templates of hosts that were stored before there were any', async () => {
    await olderDatabase(folder.path, 6);
    const database = new Database(folder.path);
    const members = { web: { cmdb_templates: ['t1', { $oid: 't2' }, 7] }, db: { cmdb_templates: 't1' }, plain: {} };
    for (const [hostname, own] of Object.entries(members)) {
      database
        .prepare(
          `INSERT INTO hosts (hostname, is_object, object_type, labels, created_at, created_kind, created_by, members) VALUES (?, 0, 'host', '{}', 0, 'user', 'u', ?)`,
        )
        .run(hostname, JSON.stringify(own));
    }
    database.exec('INSERT INTO host_marks (id) SELECT id FROM hosts');
    database.close();
    const storage = await openSqlite(folder.path);
    const limitedTo = (template: string) =>
      storage.hosts.count({ scope: { accounts: null, templates: [template] }, kind: 'hosts', state: 'active' });
    expect(await Promise.all(['t1', 't2', '7', ''].map(limitedTo))).toEqual([1, 1, 0, 0]);
    await storage.stop();
  });

  it('begins its change feed with what happens once it is up to date', async () => {
    const held = `
      INSERT INTO hosts (id, hostname, is_object, object_type, labels, created_at, created_kind, created_by, account_id)
        VALUES (1, 'old', 0, 'host', '{"n":1}', 0, 'user', 'u', '${red.id}');
      INSERT INTO host_marks (id) VALUES (1);
      INSERT INTO host_changes (seq, hostname, at, actor_kind, actor_name, kind, changes)
        VALUES (7, 'old', 0, 'user', 'u', 'labels', '[]')`;
    await olderDatabase(folder.path, 18, held);
    const storage = await openSqlite(folder.path);
    expect(await storage.feed.after('start', 10)).toMatchObject({ entries: [], more: false });
    await save(storage.hosts, { old: { n: 2 }, new: {} });
    const page = await storage.feed.after('start', 10);
    const told =
      page === 'gone' ? [] : page.entries.map(({ kind, hostname, changes }) => [kind, hostname, changes.value]);
    expect(told).toEqual([
      ['labels', 'old', [{ path: 'labels.n', before: 1, after: 2 }]],
      ['created', 'new', []],
    ]);
    expect((await storage.history.ofHost('old', 10)).map(({ kind }) => kind)).toEqual(['labels', 'labels', 'created']);
    await storage.stop();
  });

  it('starts many times at once on a new file', async () => {
    const storages = await Promise.all(Array.from({ length: 8 }, () => openSqlite(folder.path)));
    await Promise.all(storages.map((storage, n) => saveNames(storage.hosts, [`h${n}`])));
    expect(await storages[0]?.hosts.count({ scope: null, kind: 'hosts', state: 'active' })).toBe(8);
    await Promise.all(storages.map((storage) => storage.stop()));
  });

  it('refuses a file that is no database, and leaves it as it is', async () => {
    const text = 'hostname,os\nalpha,linux\n'.repeat(200);
    await writeFile(folder.path, text);
    expect(await refused(folder.path)).toMatchObject({
      code: 'failed',
      message: expect.stringContaining('not an SQLite database'),
    });
    expect(await readFile(folder.path, 'utf8')).toBe(text);
  });

  it('refuses a directory, and a path through a file', async () => {
    await mkdir(folder.path);
    expect((await refused(folder.path)).code).toBe('failed');
    await writeFile(`${folder.path}-file`, '');
    expect((await refused(join(`${folder.path}-file`, 'muster.db'))).code).toBe('failed');
  });

  it("refuses another program's database", async () => {
    const database = new Database(folder.path);
    database.exec('CREATE TABLE things (id INTEGER)');
    database.close();
    expect(await refused(folder.path)).toMatchObject({
      code: 'failed',
      message: expect.stringContaining('another program'),
    });
  });

  it('refuses a database of a newer version', async () => {
    await (await openSqlite(folder.path)).stop();
    const database = new Database(folder.path);
    database.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
    database.close();
    expect(await refused(folder.path)).toMatchObject({
      code: 'failed',
      message: expect.stringContaining('newer version'),
    });
  });

  it('says so when the file is damaged', async () => {
    const storage = await openSqlite(folder.path);
    await saveNames(
      storage.hosts,
      Array.from({ length: 2000 }, (_, n) => `host-${n}`),
    );
    await storage.stop();
    const bytes = await readFile(folder.path);
    bytes.fill(0x5a, 8192, bytes.length);
    await writeFile(folder.path, bytes);
    const damaged = sqliteStorage({ path: folder.path })({ logger: silent });
    const use = async () => {
      await damaged.start();
      await damaged.hosts.page({ filter: { scope: null, kind: 'all', state: 'any' }, offset: 0, limit: 10 });
    };
    await expect(use()).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('restore it from a backup'),
    });
    await damaged.stop();
  });

  it('finds damage without the looks that would stumble over it, and repairs nothing then', async () => {
    const storage = await openSqlite(folder.path);
    await saveNames(
      storage.hosts,
      Array.from({ length: 2000 }, (_, n) => `host-${n}`),
    );
    await storage.stop();
    const database = new Database(folder.path);
    database.exec('UPDATE account_counters SET hosts = hosts + 1');
    const page = database.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'hosts'").pluck().get() as number;
    database.close();
    const bytes = await readFile(folder.path);
    bytes.fill(0, (page - 1) * 4096, page * 4096);
    await writeFile(folder.path, bytes);
    const damaged = sqliteStorage({ path: folder.path })({ logger: silent });
    await damaged.start();
    for (const request of [{ fix: false }, { fix: true }, { fix: false, only: 'damage' }] as const) {
      const found: StorageProblem[] = [];
      for await (const problem of damaged.check(request)) found.push(problem);
      expect(found[0]).toMatchObject({ subject: 'database', message: expect.stringContaining('restore') });
      expect(found.map(({ subject }) => subject)).not.toContain('counters');
    }
    await damaged.stop();
  });

  it('is checked while its thread goes on with other work', async () => {
    const storage = await openSqlite(folder.path);
    const turns = countTurns();
    for await (const { subject } of storage.check({ fix: false })) expect(subject).toBeUndefined();
    // Each statement of the check in this thread would be one turn at most.
    expect(turns.soFar()).toBeGreaterThan(100);
    await turns.stop();
    await storage.stop();
  });

  it('says what is wrong with a file that cannot be checked', async () => {
    // Who opens a file last closes it with everything in it, and nothing beside it.
    await (await openSqlite(folder.path)).stop();
    const storage = await openSqlite(folder.path);
    await writeFile(folder.path, 'no database any more'.repeat(1000));
    const check = storage.check({ fix: false })[Symbol.asyncIterator]();
    await expect(check.next()).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining(folder.path) });
    await storage.stop();
  });

  it('finds wrong counters and puts them right', async () => {
    const storage = await openSqlite(folder.path);
    await saveNames(
      storage.hosts,
      Array.from({ length: 9000 }, (_, n) => `host-${n}`),
    );
    const database = new Database(folder.path);
    const wrongs = [
      'UPDATE account_counters SET hosts = hosts + 1',
      'DELETE FROM seen_counts',
      "UPDATE host_ranges SET hosts = hosts + 5 WHERE first = ''",
      'DELETE FROM host_ranges',
    ];
    const filter = { scope: null, kind: 'hosts', state: 'active' } as const;
    const subjects = async (fix: boolean) => {
      const found: string[] = [];
      for await (const { subject, fixed } of storage.check({ fix })) found.push(`${subject.split(' ')[0]} ${fixed}`);
      return found;
    };
    for (const wrong of wrongs) {
      database.exec(wrong);
      expect(await subjects(false)).toContain('counters false');
      expect(await subjects(true)).toContain('counters true');
      expect(await subjects(false)).not.toContain('counters false');
      expect(await storage.hosts.count(filter)).toBe(9000);
      expect((await storage.hosts.page({ filter, offset: 8999, limit: 5 })).length).toBe(1);
    }
    database.exec("UPDATE hosts SET labels = '[1' WHERE hostname = 'host-1'");
    expect(await subjects(false)).toContain('host false');
    const first = await storage.check({ fix: false, only: 'damage' })[Symbol.asyncIterator]().next();
    expect(first.value).toMatchObject({ subject: 'host host-1' });
    await expect(storage.hosts.find('host-1').then((host) => host?.labels.value)).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('muster storage check'),
    });
    // Who stops listening at the first problem leaves nothing behind that keeps the file or the process.
    for await (const problem of storage.check({ fix: false })) {
      expect(problem.subject).toMatch(/^host /);
      break;
    }
    database.close();
    await storage.stop();
  });
});
