import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { SCHEMA_VERSION } from '../../../src/adapters/storage/sqlite/migrate.ts';
import { TRANSFER_PARTS, type TransferPart, type TransferRecord } from '../../../src/ports/index.ts';
import { fillStorage, storedParts } from '../../../src/testing/stored-samples.ts';
import { versionOf } from './older-database.ts';
import { makeFromSqlText, sqlTextOf } from './sql-text.ts';
import { openSqlite, type SqliteFolder, sqliteFolder } from './sqlite-harness.ts';

/**
 * Databases as released versions left them: `<version>.sql` makes one that holds something of every kind, and `<version>.jsonl` has what is in it.
 * `KEEP_SCHEMA=1 npx vitest run test/adapters/sqlite/released-schemas.test.ts` writes those of the version in package.json; what is released stays as it is.
 */
const FOLDER = new URL('../../fixtures/released-schemas/', import.meta.url);
const fileOf = (version: string, ending: 'sql' | 'jsonl'): string =>
  fileURLToPath(new URL(`${version}.${ending}`, FOLDER));

interface Kept extends TransferRecord {
  readonly part: TransferPart;
}

let folder: SqliteFolder;
beforeEach(async () => {
  folder = await sqliteFolder();
});
afterEach(() => folder.remove());

/** Versions of the changelog, newest first, and whether each is released. */
async function versions(): Promise<readonly { readonly version: string; readonly isReleased: boolean }[]> {
  const changelog = await readFile(fileURLToPath(new URL('../../../CHANGELOG.md', import.meta.url)), 'utf8');
  const found = [...changelog.matchAll(/^## (\d+\.\d+\.\d+\S*)(.*)$/gm)];
  return found.map(([, version = '', rest = '']) => ({ version, isReleased: !rest.includes('not released') }));
}

async function keepSchema(version: string): Promise<void> {
  const storage = await openSqlite(folder.path);
  await fillStorage(storage);
  const parts = await storedParts(storage);
  await storage.stop();
  const lines = TRANSFER_PARTS.flatMap((part) => parts[part].map((record) => JSON.stringify({ part, ...record })));
  await writeFile(fileOf(version, 'sql'), sqlTextOf(folder.path));
  await writeFile(fileOf(version, 'jsonl'), `${lines.join('\n')}\n`);
}

describe('databases of released versions', () => {
  it('are kept, one of each', async () => {
    const known = await versions();
    const isReleased = known.find(({ version }) => version === packageJson.version)?.isReleased === true;
    if (process.env.KEEP_SCHEMA === '1') {
      if (isReleased) throw new Error(`${packageJson.version} is released, and what it left behind does not change`);
      await keepSchema(packageJson.version);
    }
    for (const { version } of known.filter((each) => each.isReleased)) {
      const advice = `there is no database of ${version}: check that version out and make it by KEEP_SCHEMA=1`;
      expect(existsSync(fileOf(version, 'sql')), advice).toBe(true);
    }
  });

  it('are those of the present schema for the version that is not released yet', async () => {
    for (const { version, isReleased } of await versions()) {
      if (isReleased || !existsSync(fileOf(version, 'sql'))) continue;
      makeFromSqlText(folder.path, await readFile(fileOf(version, 'sql'), 'utf8'));
      expect(versionOf(folder.path), 'make it again by KEEP_SCHEMA=1').toBe(SCHEMA_VERSION);
    }
  });

  it('are upgraded with everything that they hold', async () => {
    const kept = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql'));
    expect(kept.length).toBeGreaterThan(0);
    for (const name of kept) {
      const path = `${folder.path}-${name}`;
      makeFromSqlText(path, await readFile(new URL(name, FOLDER), 'utf8'));
      const storage = await openSqlite(path);
      const parts = await storedParts(storage);
      const lines = (await readFile(fileOf(name.replace(/\.sql$/, ''), 'jsonl'), 'utf8')).trim().split('\n');
      const counts = new Map<TransferPart, number>();
      for (const line of lines) {
        const { part, key, value } = JSON.parse(line) as Kept;
        counts.set(part, (counts.get(part) ?? 0) + 1);
        const read = parts[part].find((record) => record.key === key);
        expect(read?.value, `${name}: ${part} ${key}`).toMatchObject(value);
      }
      for (const part of TRANSFER_PARTS) {
        const count = counts.get(part);
        if (count !== undefined) expect(parts[part], `${name}: ${part}`).toHaveLength(count);
      }
      for await (const problem of storage.check({ fix: false })) expect(problem, name).toBeUndefined();
      await storage.stop();
      expect(versionOf(path)).toBe(SCHEMA_VERSION);
    }
  });
});
