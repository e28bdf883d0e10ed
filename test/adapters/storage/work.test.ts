import { expect, it } from 'vitest';
import { type StoredWork, workStore } from '../../../src/adapters/storage/shared/work.ts';

it('reads and gives away work that a node stored which knows neither priority nor rest', async () => {
  const now = Date.UTC(2026, 5, 1);
  let stored: StoredWork = {
    ...{ id: '1'.repeat(24), body: '{}', offeredAt: now - 60_000, offeredBy: 'old/1', offeredUntil: now + 60_000 },
    ...{ waitingSince: now - 60_000, holder: 'old/2', heldUntil: now - 1000, attempts: 1, result: null },
  };
  const work = workStore({
    async change(_, decide) {
      const { answer, put } = decide(stored, now);
      stored = put ?? stored;
      return answer;
    },
    list: async () => ({ now, works: [stored] }),
  });
  expect(await work.list()).toMatchObject([{ isHeld: false, isResting: false, waitingMs: 1000 }]);
  expect(await work.claim({ id: stored.id, holder: 'new/1', leaseMs: 1000 })).toBe(true);
  expect(await work.list()).toMatchObject([{ holder: 'new/1', isHeld: true, attempts: 2 }]);
});
