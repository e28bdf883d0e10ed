import { describe, expect, it } from 'vitest';
import type { Storage } from '../ports/index.ts';
import { minute, ruleId } from './samples.ts';

const LONG_MS = 600_000;
/** Its lease is over before anything can be claimed. */
const DIED_MS = -1000;

const node = (number: number) => `n${number}/1`;

export function describeWorkStoreContract(fresh: () => Storage): void {
  const offerOf = (number: number, leaseMs = LONG_MS) => ({
    ...{ id: ruleId(number), body: `{"job":${number}}`, at: minute(number), offeredBy: node(0), leaseMs },
  });
  const offer = (work: Storage['work'], number: number, leaseMs?: number) => work.offer(offerOf(number, leaseMs));
  const claim = (work: Storage['work'], holder: string, leaseMs = LONG_MS) =>
    work.claim({ id: ruleId(1), holder, leaseMs });
  const keep = (work: Storage['work'], name: string) => work.keep({ id: ruleId(1), name, leaseMs: LONG_MS });
  const one = async ({ work }: Storage) => (await work.list())[0];

  describe('WorkStore', () => {
    it('shows work from its offer to its removal, oldest first', async () => {
      const { work } = fresh();
      expect(await work.list()).toEqual([]);
      await offer(work, 2);
      await offer(work, 1);
      const offered = { body: '{"job":1}', offeredAt: minute(1), offeredBy: node(0), isOffered: true };
      expect(await work.list()).toEqual([
        {
          ...{ id: ruleId(1), ...offered, waitingMs: expect.any(Number) },
          ...{ holder: null, isHeld: false, isResting: false, attempts: 0, result: null },
        },
        expect.objectContaining({ id: ruleId(2) }),
      ]);
      expect(await claim(work, node(1))).toBe(true);
      expect(await work.list()).toMatchObject([{ holder: node(1), isHeld: true, attempts: 1, result: null }, {}]);
      expect(await work.end({ id: ruleId(1), holder: node(1), result: '"done"' })).toBe(true);
      expect(await work.list()).toMatchObject([{ holder: node(1), isHeld: false, result: '"done"' }, {}]);
      expect(await work.remove(ruleId(1))).toBe(true);
      expect(await work.remove(ruleId(1))).toBe(false);
      expect(await work.list()).toMatchObject([{ id: ruleId(2) }]);
    });

    it('shows work with a priority before what was offered up to that long before it, and after what is older', async () => {
      const { work } = fresh();
      for (const [number, priorityMs] of [
        [9, 0],
        [4, 0],
        [12, 5 * 60_000],
        [8, 5 * 60_000],
      ] as const)
        await work.offer({ ...offerOf(number), priorityMs });
      expect((await work.list()).map(({ id }) => id)).toEqual([8, 4, 12, 9].map(ruleId));
    });

    it('replaces an offer of the same id', async () => {
      const storage = fresh();
      await offer(storage.work, 1);
      await claim(storage.work, node(1));
      await offer(storage.work, 1);
      expect(await storage.work.list()).toMatchObject([{ holder: null, isHeld: false, attempts: 0 }]);
    });

    it('lets one of many take it', async () => {
      const { work } = fresh();
      await offer(work, 1);
      const nodes = [1, 2, 3, 4, 5, 6, 7, 8];
      const taken = await Promise.all(nodes.map((number) => claim(work, node(number))));
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect((await work.list())[0]?.holder).toBe(node((nodes[taken.indexOf(true)] ?? 0) as number));
    });

    it('gives work to another node when its holder is silent, and counts the attempts', async () => {
      const storage = fresh();
      const { work } = storage;
      await offer(work, 1);
      expect(await claim(work, node(1), DIED_MS)).toBe(true);
      expect(await one(storage)).toMatchObject({ holder: node(1), isHeld: false, attempts: 1 });
      expect(await claim(work, node(2))).toBe(true);
      expect(await one(storage)).toMatchObject({ holder: node(2), isHeld: true, attempts: 2 });
      expect(await claim(work, node(3))).toBe(false);
      expect(await keep(work, node(1))).toBe(false);
      expect(await work.end({ id: ruleId(1), holder: node(1), result: '1' })).toBe(false);
      expect(await work.release({ id: ruleId(1), holder: node(1) })).toBe(false);
      expect(await one(storage)).toMatchObject({ holder: node(2), isHeld: true, result: null });
    });

    it('lets work rest after a silent holder for as long as its claim said, and not after an orderly release', async () => {
      const storage = fresh();
      const { work } = storage;
      const claimed = (holder: string, leaseMs: number, restMs: number) =>
        work.claim({ id: ruleId(1), holder, leaseMs, restMs });
      await offer(work, 1);
      await claimed(node(1), LONG_MS, LONG_MS);
      expect(await one(storage)).toMatchObject({ isHeld: true, isResting: false });
      expect(await work.release({ id: ruleId(1), holder: node(1) })).toBe(true);
      expect(await one(storage)).toMatchObject({ isResting: false });
      expect(await claimed(node(2), DIED_MS, LONG_MS)).toBe(true);
      expect(await one(storage)).toMatchObject({ isHeld: false, isResting: true, waitingMs: 0, attempts: 1 });
      expect(await claim(work, node(3))).toBe(false);
      expect(await one(storage)).toMatchObject({ holder: node(2), attempts: 1 });
      // It was slow and not dead.
      expect(await keep(work, node(2))).toBe(true);
      expect(await one(storage)).toMatchObject({ isHeld: true, isResting: false });
      await offer(work, 1);
      expect(await claimed(node(4), 2 * DIED_MS, -DIED_MS)).toBe(true);
      expect(await one(storage)).toMatchObject({ isResting: false });
      expect(await claim(work, node(5))).toBe(true);
      expect(await work.end({ id: ruleId(1), holder: node(5), result: '1' })).toBe(true);
      expect(await one(storage)).toMatchObject({ isResting: false });
    });

    it('lets a holder go on whose lease ran out while no other node took the work', async () => {
      const storage = fresh();
      await offer(storage.work, 1);
      await claim(storage.work, node(1), DIED_MS);
      expect(await keep(storage.work, node(1))).toBe(true);
      expect(await one(storage)).toMatchObject({ isHeld: true });
    });

    it('is taken by no node, and kept by none, once the node that offered it is silent', async () => {
      const storage = fresh();
      const { work } = storage;
      await offer(work, 1, DIED_MS);
      expect(await one(storage)).toMatchObject({ isOffered: false });
      expect(await claim(work, node(1))).toBe(false);
      expect(await keep(work, node(0))).toBe(true);
      expect(await one(storage)).toMatchObject({ isOffered: true });
      expect(await claim(work, node(1))).toBe(true);
      await work.keep({ id: ruleId(1), name: node(0), leaseMs: DIED_MS });
      expect(await keep(work, node(1))).toBe(false);
    });

    it('frees work without counting the attempt', async () => {
      const storage = fresh();
      await offer(storage.work, 1);
      await claim(storage.work, node(1));
      expect(await storage.work.release({ id: ruleId(1), holder: node(1) })).toBe(true);
      expect(await one(storage)).toMatchObject({ holder: null, isHeld: false, attempts: 0 });
      expect(await claim(storage.work, node(2))).toBe(true);
    });

    it('ends once, and only what is there', async () => {
      const { work } = fresh();
      const end = { id: ruleId(1), holder: node(1), result: '1' };
      expect(await work.end(end)).toBe(false);
      expect(await claim(work, node(1))).toBe(false);
      expect(await keep(work, node(1))).toBe(false);
      expect(await work.promise(ruleId(1))).toBe(false);
      expect(await work.list()).toEqual([]);
      await offer(work, 1);
      await claim(work, node(1));
      expect(await work.end(end)).toBe(true);
      expect(await work.end({ ...end, result: '2' })).toBe(false);
      expect(await work.release(end)).toBe(false);
      expect(await keep(work, node(1))).toBe(false);
      expect(await claim(work, node(2))).toBe(false);
      expect(await work.promise(ruleId(1))).toBe(false);
      expect((await work.list())[0]?.result).toBe('1');
    });

    it('waits anew after a promise, which none needs to make for work that is held', async () => {
      const storage = fresh();
      await offer(storage.work, 1);
      const pause = 30;
      await new Promise((resolve) => setTimeout(resolve, pause));
      const before = (await one(storage))?.waitingMs ?? 0;
      expect(before).toBeGreaterThanOrEqual(pause - 5);
      expect(await storage.work.promise(ruleId(1))).toBe(true);
      expect((await one(storage))?.waitingMs).toBeLessThan(before);
      await claim(storage.work, node(1));
      expect(await storage.work.promise(ruleId(1))).toBe(false);
    });
  });
}
