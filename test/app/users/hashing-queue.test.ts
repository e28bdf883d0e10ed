import { describe, expect, it } from 'vitest';
import { HashingQueue } from '../../../src/app/users/hashing-queue.ts';

/** Work that ends when the test says so, and the order in which it began. */
function bench(queue: HashingQueue) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (share: string, known = false) =>
    queue.run({ share, known }, async () => {
      begun.push(share);
      await new Promise<void>((resolve) => ends.push(resolve));
      return share;
    });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  async function endAll(): Promise<void> {
    await turn();
    while (ends.length > 0) {
      ends.shift()?.();
      await turn();
    }
  }
  return { begun, run, endAll, turn };
}

describe('passwords that wait to be hashed', () => {
  it('take turns by address', async () => {
    const { run, begun, endAll } = bench(new HashingQueue({ atOnce: 1 }));
    const all = [...Array.from({ length: 6 }, () => run('flood')), run('honest'), run('other')];
    await endAll();
    await Promise.all(all);
    expect(begun.slice(0, 4).sort()).toEqual(['flood', 'flood', 'honest', 'other']);
  });

  it('of who got in before go first, and yet newcomers have their turn', async () => {
    const { run, begun, endAll } = bench(new HashingQueue({ atOnce: 1 }));
    const all = [run('first'), run('new'), ...Array.from({ length: 6 }, () => run('known', true))];
    await endAll();
    await Promise.all(all);
    expect(begun[1]).toBe('known');
    expect(begun.indexOf('new')).toBe(4);
  });

  it('are so many at once', async () => {
    const { run, begun, endAll, turn } = bench(new HashingQueue({ atOnce: 2 }));
    const all = Array.from({ length: 5 }, () => run('a'));
    await turn();
    expect(begun).toHaveLength(2);
    await endAll();
    expect(await Promise.all(all)).toHaveLength(5);
  });

  it('that are too many are refused to who sends most', async () => {
    const { run, begun, endAll } = bench(new HashingQueue({ atOnce: 1, mostWaiting: 10 }));
    const flood = Array.from({ length: 20 }, () => run('flood').catch((error: unknown) => error));
    const honest = run('honest');
    await endAll();
    expect(await honest).toBe('honest');
    const refused = (await Promise.all(flood)).filter((answer) => answer !== 'flood');
    expect(refused).toHaveLength(10);
    for (const error of refused) expect(error).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    expect(begun).toHaveLength(11);
  });

  it('goes on after work that fails', async () => {
    const queue = new HashingQueue({ atOnce: 1 });
    const turn = { share: 'a', known: false };
    const broken = queue.run(turn, () => Promise.reject(new Error('broken')));
    const next = queue.run(turn, () => Promise.resolve(1));
    await expect(broken).rejects.toThrow('broken');
    expect(await next).toBe(1);
  });
});
