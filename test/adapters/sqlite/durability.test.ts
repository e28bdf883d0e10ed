import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countOwned } from '../../../src/testing/samples.ts';
import { type ProgramFolder, program } from './child.ts';
import { openSqlite, type SqliteFolder, sqliteFolder } from './sqlite-harness.ts';

let folder: SqliteFolder;
let programs: ProgramFolder[] = [];

beforeEach(async () => {
  folder = await sqliteFolder();
});
afterEach(async () => {
  for (const each of programs) await each.remove();
  programs = [];
  await folder.remove();
});

async function written(body: string): Promise<ProgramFolder> {
  const made = await program(body);
  programs.push(made);
  return made;
}

describe('sqlite: processes', () => {
  it('keeps everything acknowledged, and whole calls only, when the process is killed', async () => {
    const writer = await written(`
      const storage = await open(process.argv[2]);
      let round = 0;
      const write = async (worker) => {
        for (;;) {
          const call = worker + '-' + round++;
          const entries = Array.from({ length: 50 }, (_, n) => ({ hostname: call + '-' + n, labels: labels({ call }) }));
          await storage.hosts.saveLabels({ account: account('a'), at: new Date(), actor, entries });
          console.log(call);
        }
      };
      for (let worker = 0; worker < 8; worker++) write(worker);
    `);
    for (let kill = 0; kill < 2; kill++) {
      const running = writer.start(folder.path);
      await running.until(20);
      running.process.kill('SIGKILL');
      expect(await running.ended()).toBe('SIGKILL');
      const storage = await openSqlite(folder.path);
      const found = new Map<string, number>();
      for await (const batch of storage.hosts.scan({ scope: null, kind: 'hosts', state: 'active' }, 1000)) {
        for (const { labels } of batch) {
          const call = String(labels.value.call);
          found.set(call, (found.get(call) ?? 0) + 1);
        }
      }
      for (const call of running.lines) expect(found.get(call)).toBe(50);
      for (const count of found.values()) expect(count).toBe(50);
      for await (const problem of storage.check({ fix: false }))
        expect(problem.subject).toBe(`account ${'a'.repeat(24)}`);
      await storage.stop();
      await folder.remove();
      folder = await sqliteFolder();
    }
  });

  it('lets two processes write at once, each waiting for the other', async () => {
    const writer = await written(`
      const [, , path, letter] = process.argv;
      const storage = await open(path);
      let created = 0;
      await Promise.all(Array.from({ length: 10 }, async (_, worker) => {
        for (let n = 0; n < 30; n++) {
          const entries = [{ hostname: 'shared-' + worker + '-' + n, labels: labels({ by: letter }) }];
          const [outcome] = await storage.hosts.saveLabels({ account: account(letter), at: new Date(), actor, entries });
          if (outcome === 'created') created++;
        }
      }));
      await storage.stop();
      console.log(created);
    `);
    // Nobody has made the database yet: they also race for its schema.
    const running = ['a', 'b', 'c'].map((letter) => writer.start(folder.path, letter));
    for (const each of running) expect(await each.ended()).toBe(0);
    const created = running.map((each) => Number(each.lines.at(-1)));
    expect(created.reduce((sum, count) => sum + count, 0)).toBe(300);
    const storage = await openSqlite(folder.path);
    expect(await storage.hosts.count({ scope: null, kind: 'hosts', state: 'active' })).toBe(300);
    const owned = await Promise.all(['a', 'b', 'c'].map((letter) => countOwned(storage.hosts, letter.repeat(24))));
    expect(owned).toEqual(created);
    await storage.stop();
  });

  it('does not keep a process alive that forgets to stop', async () => {
    const writer = await written(`
      const storage = await open(process.argv[2]);
      const entries = [{ hostname: 'alpha', labels: labels({}) }];
      await storage.hosts.saveLabels({ account: account('a'), at: new Date(), actor, entries });
      console.log('done');
    `);
    expect(await writer.start(folder.path).ended()).toBe(0);
  });

  it('answers a write that another process holds up too long, and takes the next one', async () => {
    const holder = await written(`
      import Database from 'better-sqlite3';
      await (await open(process.argv[2])).stop();
      const database = new Database(process.argv[2]);
      database.exec('BEGIN IMMEDIATE');
      console.log('held');
      // The reference keeps the connection, and so the lock, from being collected.
      setTimeout(() => database.close(), 60_000);
    `);
    const holding = holder.start(folder.path);
    await holding.until(1);
    const storage = await openSqlite(folder.path, { lockTimeoutMs: 300 });
    const turns: number[] = [];
    const clock = setInterval(() => turns.push(performance.now()), 10);
    const write = storage.access.recordTokenUse([{ tokenId: 'a', at: new Date() }]);
    await expect(write).rejects.toEqual(expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 5 }));
    clearInterval(clock);
    // The wait was the writer thread's: this one went on.
    expect(turns.length).toBeGreaterThan(5);
    expect(await storage.access.tokenUses(['a'])).toEqual(new Map());
    holding.process.kill('SIGKILL');
    await holding.ended();
    await storage.access.recordTokenUse([{ tokenId: 'a', at: new Date() }]);
    expect((await storage.access.tokenUses(['a'])).size).toBe(1);
    await storage.stop();
  });
});
