import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withKeptLease } from '../../../src/adapters/storage/mongodb/leases.ts';
import { type Database, openDatabase } from '../../../src/adapters/storage/mongodb/schema.ts';
import { dropDatabase, freshUrl } from './harness.ts';

const LEASE = 'lease/test';
const TERMS = { leaseMs: 1_500, timeoutMs: 30_000 };
const lostLease = expect.objectContaining({ code: 'unavailable' });

let url: string;
let clients: readonly MongoClient[];
let first: Database['control'];
let second: Database['control'];

beforeEach(async () => {
  url = await freshUrl();
  const [left, right] = await Promise.all([MongoClient.connect(url), MongoClient.connect(url)]);
  clients = [left, right];
  first = openDatabase(left.db()).control;
  second = openDatabase(right.db()).control;
});

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(clients.map((client) => client.close()));
  await dropDatabase(url);
});

/** The second node gets the lease, as after the first one stood still for longer than it lasts. */
async function takenOver(work: (begun: () => void) => Promise<unknown>): Promise<void> {
  const working: Promise<unknown>[] = [];
  await new Promise<void>((resolve) => working.push(work(resolve)));
  const failed = expect(working[0]).rejects.toEqual(lostLease);
  await second.updateOne({ _id: LEASE }, { $set: { until: 0, holder: 'nobody' } });
  await withKeptLease(second, LEASE, TERMS, () => failed);
}

describe('MongoDB: work whose lease another node took', () => {
  it('takes no further step', async () => {
    let steps = 0;
    await takenOver((begun) =>
      withKeptLease(first, LEASE, TERMS, async ({ held }) => {
        for (;;) {
          await held();
          if (++steps === 2) {
            begun();
            const isOver = async () => (await first.findOne({ _id: LEASE }))?.token === 2;
            await vi.waitUntil(isOver, { timeout: 20_000, interval: 20 });
          }
        }
      }),
    );
    expect(steps).toBe(2);
  });

  it('is cut off while it waits', async () => {
    await takenOver((begun) =>
      withKeptLease(first, LEASE, TERMS, async ({ lost }) => {
        begun();
        await sleep(60_000, undefined, { signal: lost });
      }),
    );
  });

  it('fails although it ended well', async () => {
    await takenOver((begun) =>
      withKeptLease(first, LEASE, TERMS, async ({ lost }) => {
        begun();
        await new Promise((resolve) => lost.addEventListener('abort', resolve));
      }),
    );
  });

  it('takes the lease for lost when it hears nothing for as long as it lasts', async () => {
    const lost = withKeptLease(first, LEASE, TERMS, async ({ lost }) => {
      vi.spyOn(first, 'updateOne').mockImplementation(() => new Promise(() => undefined));
      await new Promise((resolve) => lost.addEventListener('abort', resolve));
      vi.restoreAllMocks();
    });
    await expect(lost).rejects.toEqual(lostLease);
  });

  it('keeps it for as long as it lasts otherwise, and gives it back', async () => {
    const order: string[] = [];
    let begun = (): void => undefined;
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const long = withKeptLease(first, LEASE, { ...TERMS, leaseMs: 3_000 }, async () => {
      begun();
      await sleep(4_500);
      order.push('first');
    });
    await isBegun;
    await withKeptLease(second, LEASE, TERMS, async () => order.push('second'));
    await long;
    expect(order).toEqual(['first', 'second']);
  });
});
