import { expect, it, onTestFinished } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { sqliteStorage } from '../../../src/adapters/storage/sqlite/storage.ts';
import type { Clock, Storage } from '../../../src/ports/index.ts';
import { minute, ruleId } from '../../../src/testing/samples.ts';
import { program } from './child.ts';
import { openSqlite, silent, sqliteFolder } from './sqlite-harness.ts';

async function sqliteWith(clock: Clock): Promise<Storage> {
  const folder = await sqliteFolder();
  const storage = sqliteStorage({ path: folder.path })({ logger: silent, clock });
  onTestFinished(async () => {
    await storage.stop();
    await folder.remove();
  });
  return storage;
}

const stores = {
  memory: async (clock: Clock) => memoryStorage()({ clock }),
  sqlite: sqliteWith,
};

it.each(Object.entries(stores))('%s: leases last by the clock that was given', async (_, create) => {
  let now = minute(0).getTime();
  const storage = await create({ now: () => new Date(now) });
  await storage.start();
  const { cron } = storage;
  const group = { groupId: ruleId(1), leaseMs: 15_000, requested: false };
  const isHeld = async () => (await cron.states())[0]?.isHeld;
  expect(await cron.claim({ ...group, holder: 'a', at: minute(1), seenStart: null })).toBe(true);
  now += 14_999;
  expect(await isHeld()).toBe(true);
  const next = { ...group, holder: 'b', at: minute(2), seenStart: minute(1) };
  expect(await cron.claim(next)).toBe(false);
  expect(await cron.keep({ ...group, holder: 'a' })).toBe(true);
  now += 14_999;
  expect(await isHeld()).toBe(true);
  expect(await cron.retain([])).toBe(0);
  now += 1;
  expect(await isHeld()).toBe(false);
  expect(await cron.release({ ...group, holder: 'a' })).toBe(false);
  expect(await cron.claim(next)).toBe(true);
  now += 15_000;
  expect(await cron.retain([])).toBe(1);
});

it('sqlite: gives a cron group to one process of several', async () => {
  const folder = await sqliteFolder();
  const storage = await openSqlite(folder.path);
  const claimer = await program(`
    const storage = await open(process.argv[2]);
    let won = 0;
    let seenStart = null;
    for (let round = 1; round <= 50; round++) {
      const at = new Date(round * 1000);
      const claim = { groupId: 'g', holder: String(process.pid), at, leaseMs: 0, seenStart, requested: false };
      if (await storage.cron.claim(claim)) won++;
      seenStart = at;
    }
    await storage.stop();
    console.log(won);
  `);
  onTestFinished(async () => {
    await claimer.remove();
    await storage.stop();
    await folder.remove();
  });
  const processes = Array.from({ length: 3 }, () => claimer.start(folder.path));
  expect(await Promise.all(processes.map((one) => one.ended()))).toEqual([0, 0, 0]);
  const wins = processes.map(({ lines }) => Number(lines.at(-1)));
  expect(wins.reduce((sum, won) => sum + won, 0)).toBe(50);
  expect(await storage.cron.states()).toMatchObject([{ attempts: 50, lastStart: new Date(50_000) }]);
});
