import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SqliteStorage } from '../../../src/adapters/storage/sqlite/storage.ts';
import { archiveNames, minute, save, saveNames } from '../../contracts/samples.ts';
import { fillStorage, storedParts } from '../../contracts/stored-samples.ts';
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

it('never holds the event loop for long', async () => {
  for (let part = 0; part < 5; part++) {
    const names = Array.from({ length: 4_000 }, (_, n) => `host-${part}-${n}-${'x'.repeat(200)}`);
    await saveNames(storage.hosts, names);
  }
  let last = performance.now();
  let longest = 0;
  let isDone = false;
  const watch = (): void => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  let records = 0;
  for await (const batch of storage.transfer.snapshot(1_000)) records += batch.records.length;
  isDone = true;
  expect(records).toBe(20_000);
  // A step takes 2 to 4 ms; the rest is for busy machines.
  expect(longest).toBeLessThan(100);
});
