import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SqliteStorage } from '../../../src/adapters/storage/sqlite/storage.ts';
import { archiveNames, minute, save, saveNames } from '../../../src/testing/samples.ts';
import { fillStorage, storedParts } from '../../../src/testing/stored-samples.ts';
import { countTurns } from '../../support/event-loop-turns.ts';
import { openSqlite, type SqliteFolder, sqliteFolder } from './sqlite-harness.ts';

let folder: SqliteFolder;
let storage: SqliteStorage;

beforeEach(async () => {
  folder = await sqliteFolder();
  storage = await openSqlite(folder.path);
});

afterEach(async () => {
  await storage.stop();
  await folder.remove();
});

it('gives one state in a snapshot, whatever any process writes meanwhile', async () => {
  await fillStorage(storage);
  const before = await storedParts(storage);
  const other = await openSqlite(folder.path);
  const seen: unknown[] = [];
  let n = 0;
  for await (const { records } of storage.transfer.snapshot(1)) {
    seen.push(...records);
    n++;
    await save(other.hosts, { a: { n }, [`new-${n}`]: {} }, { at: minute(100 + n) });
    if (n === 3) await archiveNames(storage.hosts, ['b', 'z']);
    if (n === 5) await other.transfer.clear();
  }
  await other.stop();
  expect(seen).toEqual(Object.values(before).flat());
});

it('gives everybody else a turn after each few records', async () => {
  for (let part = 0; part < 5; part++) {
    const names = Array.from({ length: 4_000 }, (_, n) => `host-${part}-${n}-${'x'.repeat(200)}`);
    await saveNames(storage.hosts, names);
  }
  const turns = countTurns();
  const turnOf: number[] = [];
  let records = 0;
  for await (const batch of storage.transfer.snapshot(1_000)) {
    records += batch.records.length;
    turnOf.push(turns.soFar());
    expect(batch.records.reduce((sum, record) => sum + JSON.stringify(record).length, 0)).toBeLessThan(1_000_000);
  }
  await turns.stop();
  expect(records).toBe(20_000);
  expect(new Set(turnOf).size).toBe(turnOf.length);
});
