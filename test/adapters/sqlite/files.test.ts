import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SCHEMA_STEPS } from '../../../src/adapters/storage/sqlite/schema-steps.ts';
import { sqliteStorage } from '../../../src/adapters/storage/sqlite/storage.ts';
import type { StorageProblem } from '../../../src/ports/index.ts';
import { saveNames } from '../../../src/testing/samples.ts';
import { countTurns } from '../../support/event-loop-turns.ts';
import { makeDatabase, versionOf } from './older-database.ts';
import { openSqlite, type SqliteFolder, silent, sqliteFolder } from './sqlite-harness.ts';

let folder: SqliteFolder;
beforeEach(async () => {
  folder = await sqliteFolder();
});
afterEach(() => folder.remove());

async function refused(
  path: string,
  options: { readonly mayUpgrade?: boolean } = {},
): Promise<{ readonly code: string; readonly message: string }> {
  const storage = sqliteStorage({ path, ...options })({ logger: silent });
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
    expect(SCHEMA_STEPS.first + SCHEMA_STEPS.migrations().length - 1).toBe(SCHEMA_STEPS.last);
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
    expect(database.pragma('user_version', { simple: true })).toBe(SCHEMA_STEPS.last);
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    database.close();
  });

  it.each([1, SCHEMA_STEPS.first - 1])(
    'refuses a database of before the first migration (schema %i), unchanged',
    async (version) => {
      makeDatabase(
        folder.path,
        version,
        "CREATE TABLE token_uses (token_id text); INSERT INTO token_uses VALUES ('t')",
      );
      const before = await readFile(folder.path);
      for (const mayUpgrade of [true, false]) {
        expect(await refused(folder.path, { mayUpgrade })).toMatchObject({
          code: 'failed',
          message: expect.stringMatching(
            new RegExp(
              `${folder.path} is of an older version \\(schema ${version}\\).*commit [0-9a-f]{8} .*Nothing was changed`,
            ),
          ),
        });
      }
      expect(await readdir(dirname(folder.path))).toEqual([basename(folder.path)]);
      expect(await readFile(folder.path)).toEqual(before);
      expect(versionOf(folder.path)).toBe(version);
    },
  );

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
    database.pragma(`user_version = ${SCHEMA_STEPS.last + 1}`);
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
