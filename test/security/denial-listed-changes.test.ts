import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { importAccount } from '../../src/app/runs/import/operations/import-account.ts';
import { openSqlite, sqliteFolder } from '../adapters/sqlite/sqlite-harness.ts';
import { FileWorld } from './support/file-world.ts';

/** Imports on trial whose hosts change by more than anybody can read, beside those of every day. */

const MOST_CHARACTERS = 16 * 1024 * 1024;

let world: FileWorld;
beforeAll(async () => {
  const folder = await sqliteFolder();
  const storage = await openSqlite(folder.path);
  world = await FileWorld.create(async () => ({
    storage,
    async close() {
      await storage.stop();
      await folder.remove();
    },
  }));
});
afterAll(() => world.close());

async function tried(hosts: number, label: string) {
  const name = `hosts${hosts}`;
  const records = Array.from({ length: hosts }, (_, index) => ({ host: `${name}x${index}`, label }));
  await world.write(`data/imports/${name}.json`, JSON.stringify(records));
  const settings = { path: world.at(`data/imports/${name}.json`), hostname_field: 'host' };
  await world.muster.run(addAccount, { name, type: 'json', settings });
  return world.muster.run(importAccount, { account: name, dry_run: true, diff: true });
}

describe('the changes of an import on trial', () => {
  it('are not listed beyond what an answer may take, and the answer says so', async () => {
    const answer = await tried(20, 'x'.repeat(1_500_000));
    expect(JSON.stringify(answer.diffs).length).toBeLessThan(1.1 * MOST_CHARACTERS);
    expect(answer.summary.created).toBe(20);
    expect(answer.message).toContain(`the changes of ${20 - answer.diffs.length} more hosts are not shown`);
  });

  it('are listed otherwise', async () => {
    const answer = await tried(200, 'small');
    expect(answer.diffs).toHaveLength(200);
    expect(answer.message).not.toContain('not shown');
  });
});
