import { chmod, copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqliteDriver } from '../../../src/adapters/storage/sqlite/driver.ts';
import { SCHEMA_STEPS, type SchemaSteps } from '../../../src/adapters/storage/sqlite/schema-steps.ts';
import { type SqliteStorageOptions, sqliteStorage } from '../../../src/adapters/storage/sqlite/storage.ts';
import { nextSteps } from './next-step.ts';
import { firstDatabase, versionOf } from './older-database.ts';
import { type SqliteFolder, silent, sqliteFolder } from './sqlite-harness.ts';

const TOKEN = "INSERT INTO token_uses (token_id, at) VALUES ('t', 60000)";
const { first: FIRST_VERSION } = SCHEMA_STEPS;
const SCHEMA_VERSION = SCHEMA_STEPS.last + 1;
const NOW = new Date('2026-11-28T14:24:05.678Z');

let folder: SqliteFolder;
let path: string;
let steps: SchemaSteps;
let notes: string[];

beforeEach(async () => {
  folder = await sqliteFolder();
  path = folder.path;
  steps = await nextSteps(join(dirname(path), 'next.sql'));
  notes = [];
});
afterEach(() => folder.remove());

function storageOf(options: Partial<SqliteStorageOptions> = {}, now = NOW) {
  const logger = { ...silent, warn: (message: string) => notes.push(message) };
  return sqliteStorage({ path, steps, ...options })({ logger, clock: { now: () => now } });
}

async function started(options: Partial<SqliteStorageOptions> = {}, now = NOW): Promise<void> {
  const storage = storageOf(options, now);
  try {
    await storage.start();
    expect(await storage.access.tokenUses(['t'])).toEqual(new Map([['t', new Date(60000)]]));
  } finally {
    await storage.stop();
  }
}

async function copies(): Promise<readonly string[]> {
  const names = await readdir(dirname(path));
  return names.filter((name) => name.includes('before-upgrade')).sort();
}

describe('sqlite: the copy before an upgrade', () => {
  it('is made beside the database, private, with everything as it was, and is told with the way back', async () => {
    await firstDatabase(path, TOKEN);
    await chmod(path, 0o600);
    await started();
    expect(versionOf(path)).toBe(SCHEMA_VERSION);
    const name = `${basename(path)}.before-upgrade-${FIRST_VERSION}-20261128T142405Z`;
    expect(await copies()).toEqual([name]);
    const copy = join(dirname(path), name);
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    expect(notes).toEqual([expect.stringContaining(copy)]);
    expect(notes[0]).toMatch(new RegExp(`from schema ${FIRST_VERSION} to ${SCHEMA_VERSION}.*to go back, stop`));
    const database = new Database(copy, { readonly: true });
    expect(database.pragma('user_version', { simple: true })).toBe(FIRST_VERSION);
    expect(database.pragma('application_id', { simple: true })).toBe(0x4d535452);
    expect(database.prepare('SELECT token_id FROM token_uses').pluck().all()).toEqual(['t']);
    database.close();
    const upgraded = new Database(path, { readonly: true });
    expect(upgraded.prepare('SELECT count(*) FROM next_step').pluck().get()).toBe(0);
    upgraded.close();
  });

  it('can be put in the place of the database', async () => {
    await firstDatabase(path, TOKEN);
    await started();
    const [copy = ''] = await copies();
    path = join(dirname(path), copy);
    await started({}, new Date('2026-11-29T00:00:00Z'));
    expect(versionOf(path)).toBe(SCHEMA_VERSION);
  });

  it('is not made of an empty file, nor where nothing is due', async () => {
    await writeFile(path, '');
    for (let start = 0; start < 2; start++) {
      const storage = storageOf();
      await storage.start();
      await storage.stop();
    }
    expect(await copies()).toEqual([]);
    expect(notes).toEqual([]);
  });

  it('is kept twice', async () => {
    for (const name of ['15-20261101T000000Z', '9-20261102T000000Z', '18-20261103T000000Z']) {
      await writeFile(`${path}.before-upgrade-${name}`, '');
    }
    const others = [`${path}.before-upgrade-mine`, `${path}-old.before-upgrade-1-20200101T000000Z`];
    for (const other of others) await writeFile(other, '');
    await firstDatabase(path, TOKEN);
    await started();
    expect(await copies()).toEqual(
      [
        `muster.db.before-upgrade-${FIRST_VERSION}-20261128T142405Z`,
        'muster.db.before-upgrade-18-20261103T000000Z',
        ...others.map((other) => basename(other)),
      ].sort(),
    );
  });

  it('is needed: where none can be made nothing is upgraded', async () => {
    await firstDatabase(path, TOKEN);
    await mkdir(`${path}.before-upgrade-15-20261128T142405Z.part`);
    await expect(started()).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringMatching(/copy of it.*Nothing was changed/s),
    });
    expect(versionOf(path)).toBe(FIRST_VERSION);
  });

  it('does not pile up while an upgrade fails again and again', async () => {
    // What a migration is to make is there already.
    await firstDatabase(path, `${TOKEN}; CREATE TABLE next_step (day text)`);
    for (const second of [1, 2, 3]) {
      await expect(started({}, new Date(NOW.getTime() + second * 1000))).rejects.toThrow('next_step');
    }
    expect(await copies()).toEqual([]);
    expect(versionOf(path)).toBe(FIRST_VERSION);
  });

  it('is made again where a process died in the middle of the upgrade', async () => {
    await firstDatabase(path, TOKEN);
    const dying = new Database(path);
    dying.exec(`BEGIN IMMEDIATE; CREATE TABLE next_step (id text); PRAGMA user_version = ${SCHEMA_VERSION}`);
    const left = `${path}-left`;
    for (const ending of ['', '-wal']) await copyFile(`${path}${ending}`, `${left}${ending}`);
    dying.close();
    path = left;
    await writeFile(`${path}.before-upgrade-${FIRST_VERSION}-20261128T000000Z.part`, 'half of it');
    await started();
    expect(versionOf(path)).toBe(SCHEMA_VERSION);
    expect(await copies()).toEqual([`${basename(path)}.before-upgrade-${FIRST_VERSION}-20261128T142405Z`]);
  });

  it('is named among the files that nobody else reaches', async () => {
    await firstDatabase(path, TOKEN);
    await started();
    const [copy = ''] = await copies();
    expect(sqliteDriver.copies?.(`sqlite:${path}`, '/')).toEqual([join(dirname(path), copy)]);
    expect(sqliteDriver.copies?.(`sqlite:${path}-other`, '/')).toEqual([]);
  });
});

describe('sqlite: when a database is not upgraded', () => {
  it('while another process has it open', async () => {
    await firstDatabase(path, TOKEN);
    const service = new Database(path);
    service.prepare('SELECT * FROM token_uses').all();
    try {
      await expect(started()).rejects.toMatchObject({
        code: 'failed',
        message: expect.stringMatching(new RegExp(`schema ${FIRST_VERSION}.*another process has it open.*stop`, 's')),
      });
      expect(service.pragma('user_version', { simple: true })).toBe(FIRST_VERSION);
      expect(await copies()).toEqual([]);
      service.exec("INSERT INTO token_uses (token_id, at) VALUES ('u', 1)");
    } finally {
      service.close();
    }
    await started();
  });

  it('for who only looks', async () => {
    await firstDatabase(path, TOKEN);
    await expect(started({ mayUpgrade: false })).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringMatching(
        new RegExp(
          `older version \\(schema ${FIRST_VERSION}; this program: ${SCHEMA_VERSION}\\); the next start of the service`,
        ),
      ),
    });
    expect((await readdir(dirname(path))).sort()).toEqual([basename(path), 'next.sql']);
    expect(versionOf(path)).toBe(FIRST_VERSION);
  });

  it("when it is another program's, whatever number that gave it", async () => {
    const database = new Database(path);
    database.exec('CREATE TABLE things (id INTEGER)');
    database.pragma('user_version = 3');
    database.close();
    await expect(started()).rejects.toMatchObject({ message: expect.stringContaining('another program') });
    expect(await copies()).toEqual([]);
  });

  it('twice, when several begin at once', async () => {
    await firstDatabase(path, TOKEN);
    await Promise.all(Array.from({ length: 6 }, () => started()));
    expect(await copies()).toHaveLength(1);
    expect(notes).toHaveLength(1);
  });
});
