import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { driverFault } from '../../../src/adapters/storage/sqlite/driver-fault.ts';
import { toAppError } from '../../../src/adapters/storage/sqlite/errors.ts';
import { silent } from './sqlite-harness.ts';

const OTHER_NODE = Object.assign(
  new Error(
    "The module '/opt/muster/node_modules/better-sqlite3/build/Release/better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115. This version of Node.js requires\nNODE_MODULE_VERSION 127. Please try re-compiling or re-installing\nthe module (for instance, using `npm rebuild` or `npm install`).",
  ),
  { code: 'ERR_DLOPEN_FAILED' },
);
const NOT_BUILT = new Error(
  'Could not locate the bindings file. Tried:\n → /opt/muster/node_modules/better-sqlite3/build/better_sqlite3.node',
);
const OTHER_MACHINE = Object.assign(
  new Error('/opt/muster/node_modules/better-sqlite3/build/Release/better_sqlite3.node: invalid ELF header'),
  { code: 'ERR_DLOPEN_FAILED' },
);
const NOT_INSTALLED = Object.assign(new Error("Cannot find module 'better-sqlite3'"), { code: 'MODULE_NOT_FOUND' });

describe('a driver of SQLite that does not fit', () => {
  it.each([
    ['another version of Node.js', OTHER_NODE, /built for another version of Node\.js than .*v\d+/],
    ['not built', NOT_BUILT, /was not built when Muster was installed/],
    ['not installed', NOT_INSTALLED, /was not installed, because it could not be compiled/],
    ['another machine', OTHER_MACHINE, /cannot be loaded: .*invalid ELF header/],
  ])('%s: says so in one line, and what to do', (_case, fault, what) => {
    for (const error of [driverFault(fault), toAppError(fault, '/srv/muster.db')]) {
      expect(error).toMatchObject({ code: 'failed', message: expect.stringMatching(what) });
      expect(error?.message).not.toContain('\n');
      expect(error?.message).toMatch(/npm rebuild better-sqlite3/);
      expect(error?.message).toMatch(/C\+\+ compiler and Python/);
      expect(error?.message).toContain('DATABASE_URL=postgresql://');
    }
  });

  it.each([
    [{ code: 'ERR_SQLITE_ERROR', errcode: 5 }, /locked by another process/],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 266 }, /check the disk/],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 26 }, /is not an SQLite database/],
  ])('has a substitute whose numbers mean the same: %o', (fault, what) => {
    expect(toAppError(Object.assign(new Error('no'), fault), '/srv/muster.db').message).toMatch(what);
  });

  it('leaves no folder and no file where the database would be', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-no-driver-'));
    vi.resetModules();
    vi.doMock('../../../src/adapters/sqlite-driver.ts', () => ({
      loadSqliteDriver: () => {
        throw NOT_INSTALLED;
      },
    }));
    const { sqliteStorage } = await import('../../../src/adapters/storage/sqlite/storage.ts');
    try {
      const storage = sqliteStorage({ path: join(folder, 'data/muster.db') })({ logger: silent });
      await expect(storage.start()).rejects.toThrow(/driver of SQLite was not installed/);
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      vi.doUnmock('../../../src/adapters/sqlite-driver.ts');
      vi.resetModules();
      rmSync(folder, { recursive: true });
    }
  });

  it('is not blamed for anything else', () => {
    expect(driverFault(new Error('no such table: hosts'))).toBeUndefined();
    expect(driverFault('text')).toBeUndefined();
  });
});
