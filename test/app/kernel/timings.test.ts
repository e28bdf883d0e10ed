import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { timedStorage } from '../../../src/adapters/storage/timed-storage.ts';
import { CallTimings } from '../../../src/app/kernel/timings.ts';

describe('timings of calls', () => {
  it('count by duration, and can be handed over', () => {
    const thread = new CallTimings();
    thread.took('hosts', 'get', 0.1, false);
    thread.took('hosts', 'get', 60_000, true);
    const all = new CallTimings();
    all.took('hosts', 'get', 300, false);
    all.add(thread.drain());
    expect(thread.list()).toEqual([]);
    expect(all.list()).toEqual([
      { part: 'hosts', name: 'get', classes: [1, 0, 0, 0, 0, 1, 0, 0, 1], seconds: expect.closeTo(60.3, 3), failed: 1 },
    ]);
  });

  it('are taken of calls, of steps of readings and of failures', async () => {
    const timings = new CallTimings();
    const memory = { ...memoryStorage()() };
    const storage = timedStorage(memory, timings);
    await storage.start();
    await storage.logs.latest({ limit: 1 });
    const reading = storage.check({ fix: false });
    for await (const problem of reading) expect(problem).toBeUndefined();
    memory.health = () => Promise.reject(new Error('gone'));
    await expect(storage.health()).rejects.toThrow('gone');
    const names = timings.list().map(({ part, name, failed }) => [part, name, failed]);
    expect(names).toEqual([
      ['storage', 'start', 0],
      ['storage', 'health', 1],
      ['logs', 'latest', 0],
    ]);
    expect(storage.hosts).toBe(storage.hosts);
    expect(storage.hosts.get).toBe(storage.hosts.get);
  });
});
