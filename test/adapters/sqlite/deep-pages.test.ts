import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareUtf8 } from '../../../src/adapters/storage/shared/utf8-order.ts';
import type { SqliteStorage } from '../../../src/adapters/storage/sqlite/storage.ts';
import { activeHosts, archiveNames, namesOf, nets, saveNames } from '../../../src/testing/samples.ts';
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

/** Enough hosts that ranges are cut, and joined again when most of them go. */
describe('sqlite: ranges of hostnames', () => {
  it('lead any offset to the right host', async () => {
    const names = Array.from({ length: 30_000 }, (_, n) => `h${String((n * 7919) % 30_000).padStart(5, '0')}`);
    for (let from = 0; from < names.length; from += 5000)
      await saveNames(storage.hosts, names.slice(from, from + 5000));
    await saveNames(storage.hosts, ['a', '\uffff', '\u{10000}', 'h00000x']);
    await saveNames(storage.hosts, ['h1-object'], { account: nets });
    let left = [...names, 'a', '\uffff', '\u{10000}', 'h00000x'].sort(compareUtf8);
    const compare = async () => {
      for (const offset of [
        0,
        1,
        4095,
        4096,
        4097,
        8191,
        8192,
        12_345,
        left.length - 2,
        left.length - 1,
        left.length,
      ]) {
        const expected = left.slice(Math.max(0, offset), Math.max(0, offset) + 3);
        expect(
          await namesOf(storage.hosts.page({ filter: activeHosts, offset: Math.max(0, offset), limit: 3 })),
        ).toEqual(expected);
        const after = left[Math.floor(left.length / 3)] ?? '';
        const behind = left.filter((name) => compareUtf8(name, after) > 0).slice(offset, offset + 3);
        expect(await namesOf(storage.hosts.page({ filter: activeHosts, offset, limit: 3, after }))).toEqual(behind);
      }
      const problems: string[] = [];
      for await (const { subject } of storage.check({ fix: false })) problems.push(subject);
      expect(problems.filter((subject) => subject === 'counters')).toEqual([]);
    };
    await compare();
    const gone = left.filter((_, n) => n % 10 !== 0);
    await archiveNames(storage.hosts, gone);
    left = left.filter((_, n) => n % 10 === 0);
    await compare();
    await saveNames(storage.hosts, gone.slice(0, 9000));
    left = [...left, ...gone.slice(0, 9000)].sort(compareUtf8);
    await compare();
  }, 60_000);
});
