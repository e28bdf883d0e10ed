import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type Storage, TRANSFER_PARTS, type TransferPart, type TransferRecord } from '../../src/ports/index.ts';
import { fillStorage, storedParts } from '../../src/testing/stored-samples.ts';

const FOLDER = new URL('../fixtures/released-schemas/', import.meta.url);

/** A kind of storage whose databases are kept as released versions left them. */
export interface KeptDatabases {
  /** In the names of its files: `<version>-<store>.<ending>` makes a database; `<version>.jsonl` has what is in it, in whichever store. */
  readonly store: string;
  readonly ending: string;
  /** A database that nobody else has, empty; removed after the test. */
  fresh(): Promise<KeptDatabase>;
}

interface KeptDatabase {
  open(): Promise<Storage>;
  /** The closed database as text. */
  text(): Promise<string>;
  makeFrom(text: string): Promise<void>;
  /** Of what is stored. */
  schemaVersion(): Promise<number>;
}

interface Kept extends TransferRecord {
  readonly part: TransferPart;
}

/** Versions of the changelog, newest first, and whether each is released. */
async function versions(): Promise<readonly { readonly version: string; readonly isReleased: boolean }[]> {
  const changelog = await readFile(fileURLToPath(new URL('../../CHANGELOG.md', import.meta.url)), 'utf8');
  const found = [...changelog.matchAll(/^## (\d+\.\d+\.\d+\S*)(.*)$/gm)];
  return found.map(([, version = '', rest = '']) => ({ version, isReleased: !rest.includes('not released') }));
}

/**
 * Databases as released versions left them, with something of every kind. `KEEP_SCHEMA=1` before the tests writes those of the version in
 * package.json; what is released stays as it is.
 */
export function describeReleasedSchemas({ store, ending, fresh }: KeptDatabases, presentVersion: number): void {
  const nameOf = (version: string): string => `${version}-${store}.${ending}`;
  const pathOf = (name: string): string => fileURLToPath(new URL(name, FOLDER));

  async function kept(): Promise<readonly string[]> {
    return (await readdir(FOLDER)).filter((name) => name.endsWith(`-${store}.${ending}`));
  }

  async function keep(version: string): Promise<void> {
    const database = await fresh();
    const storage = await database.open();
    await fillStorage(storage);
    const parts = await storedParts(storage);
    await storage.stop();
    const lines = TRANSFER_PARTS.flatMap((part) => parts[part].map((record) => JSON.stringify({ part, ...record })));
    await writeFile(pathOf(nameOf(version)), await database.text());
    await writeFile(pathOf(`${version}.jsonl`), `${lines.join('\n')}\n`);
  }

  describe(`${store} databases of released versions`, () => {
    it('are kept, one of each', async () => {
      const known = await versions();
      const isReleased = known.find(({ version }) => version === packageJson.version)?.isReleased === true;
      if (process.env.KEEP_SCHEMA === '1') {
        if (isReleased) throw new Error(`${packageJson.version} is released, and what it left behind does not change`);
        await keep(packageJson.version);
      }
      for (const { version } of known.filter((each) => each.isReleased)) {
        const advice = `there is no database of ${version}: check that version out and make it by KEEP_SCHEMA=1`;
        expect(existsSync(pathOf(nameOf(version))), advice).toBe(true);
      }
    });

    it('are those of the present schema for the version that is not released yet', async () => {
      for (const { version, isReleased } of await versions()) {
        if (isReleased || !existsSync(pathOf(nameOf(version)))) continue;
        const database = await fresh();
        await database.makeFrom(await readFile(pathOf(nameOf(version)), 'utf8'));
        expect(await database.schemaVersion(), 'make it again by KEEP_SCHEMA=1').toBe(presentVersion);
      }
    });

    it('stay as they are, to the byte, where the schema is the present one', async () => {
      const present: string[] = [];
      for (const name of await kept()) {
        const database = await fresh();
        const text = await readFile(pathOf(name), 'utf8');
        await database.makeFrom(text);
        if ((await database.schemaVersion()) !== presentVersion) continue;
        present.push(name);
        const storage = await database.open();
        await storedParts(storage);
        await storage.stop();
        expect(await database.text(), name).toBe(text);
      }
      expect(present).not.toEqual([]);
    });

    it('are upgraded with everything that they hold', async () => {
      const names = await kept();
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        const database = await fresh();
        await database.makeFrom(await readFile(pathOf(name), 'utf8'));
        const storage = await database.open();
        await expectParts(
          storage,
          name,
          await readFile(pathOf(`${name.slice(0, -`-${store}.${ending}`.length)}.jsonl`), 'utf8'),
        );
        for await (const problem of storage.check({ fix: false })) expect(problem, name).toBeUndefined();
        await storage.stop();
        expect(await database.schemaVersion()).toBe(presentVersion);
      }
    });
  });
}

/** That a storage holds these records and no others of their parts; members that came later do not count. */
async function expectParts(storage: Storage, name: string, text: string): Promise<void> {
  const parts = await storedParts(storage);
  const counts = new Map<TransferPart, number>();
  for (const line of text.trim().split('\n')) {
    const { part, key, value } = JSON.parse(line) as Kept;
    counts.set(part, (counts.get(part) ?? 0) + 1);
    const read = parts[part].find((record) => record.key === key);
    expect(read?.value, `${name}: ${part} ${key}`).toMatchObject(value);
  }
  for (const part of TRANSFER_PARTS) {
    const count = counts.get(part);
    if (count !== undefined) expect(parts[part], `${name}: ${part}`).toHaveLength(count);
  }
}
