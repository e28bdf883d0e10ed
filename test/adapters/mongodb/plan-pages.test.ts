import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlanEntry, Storage } from '../../../src/ports/index.ts';
import { dropDatabase, freshUrl, openStorage, withRaw } from './harness.ts';

const ID = '0123456789abcdef01234567';
const PLAN = {
  id: ID,
  accountId: 'a',
  account: 'out',
  madeBy: 'ada',
  madeAt: new Date(0),
  basis: { hosts: 1, rules: 'r' },
  holder: 'n1',
  leaseMs: 600_000,
  isExclusive: false,
};

function entry(number: number, key: string): PlanEntry {
  const nothing = { previousKey: null, hostname: null, rule: null, drift: false, fields: [], after: [], remote: null };
  const state = { digest: 'd', secrets: '', outcome: null, reason: '' };
  return { number, action: 'create', kind: 'device', key, ...nothing, ...state };
}

let url: string;
let storage: Storage;
beforeEach(async () => {
  url = await freshUrl();
  storage = openStorage(url);
  await storage.start();
  await storage.plans.begin(PLAN);
  const entries = ['web1', 'db1', 'web2'].map((key, index) => entry(index + 1, key));
  await storage.plans.append({ id: ID, entries, leaseMs: 600_000 });
});
afterEach(async () => {
  await storage.stop();
  await dropDatabase(url);
});

describe('the other filters of a page', () => {
  it('are answered by their indexes', async () => {
    for (const [name, filter] of [
      ['by_action', { action: 'delete' }],
      ['by_kind', { kind: 'site' }],
      ['by_outcome', { outcome: 'done' }],
    ] as const) {
      expect(await storage.plans.entries({ id: ID, filter, after: 0, limit: 9 })).toEqual([]);
      const where = { plan: ID, number: { $gt: 0, $lte: 1e9 }, ...filter };
      const explained = await withRaw(url, (db) =>
        db
          .collection('planEntries')
          .find(where, { sort: { number: 1 }, limit: 9 })
          .explain('queryPlanner'),
      );
      expect(JSON.stringify(explained.queryPlanner.winningPlan)).toContain(`"indexName":"${name}"`);
    }
  });
});

async function found(text: string): Promise<readonly number[]> {
  const entries = await storage.plans.entries({ id: ID, filter: { text }, after: 0, limit: 9 });
  return entries.map(({ number }) => number);
}

describe('names of the entries of a plan', () => {
  it('are where a text is looked for', async () => {
    expect(await found('web')).toEqual([1, 3]);
    await withRaw(url, (db) => db.collection('planNames').deleteMany({}));
    expect(await found('web')).toEqual([]);
  });

  it('are not missed of a plan that an older version made', async () => {
    await withRaw(url, async (db) => {
      await db.collection('planNames').deleteMany({});
      await db.collection('plans').updateMany({}, { $unset: { hasNames: '' } });
    });
    expect(await found('web')).toEqual([1, 3]);
  });

  it('stay once when entries are appended again, and go with their plan', async () => {
    await storage.plans.append({ id: ID, entries: [1, 2, 3].map((at) => entry(at, `again${at}`)), leaseMs: 600_000 });
    expect(await found('again')).toEqual([1, 2, 3]);
    const count = () => withRaw(url, (db) => db.collection('planNames').countDocuments());
    expect(await count()).toBe(1);
    await storage.plans.settle({
      id: ID,
      status: 'failed',
      counts: { create: 0, update: 0, move: 0, delete: 0, adopt: 0, conflict: 0, unchanged: 0, kept: 0 },
      drift: 0,
      needsApproval: false,
      message: '',
    });
    expect(await storage.plans.remove(ID)).toBe(true);
    expect(await count()).toBe(0);
  });
});
