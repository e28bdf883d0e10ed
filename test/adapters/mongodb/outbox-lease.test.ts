import { afterEach, beforeEach, expect, it } from 'vitest';
import type { NewOutboxMessage, Storage } from '../../../src/ports/index.ts';
import { minute, ruleId } from '../../../src/testing/samples.ts';
import { dropDatabase, freshUrl, openStorage, withRaw } from './harness.ts';

/** So many that a lease of half a second is lengthened several times before all are stored. */
const MANY = 400;

let url: string;
let storage: Storage;

beforeEach(async () => {
  url = await freshUrl();
  storage = openStorage(url, 500);
  await storage.start();
});

afterEach(async () => {
  await storage.stop();
  await dropDatabase(url);
});

function message(number: number): NewOutboxMessage {
  return { id: ruleId(number), receiver: 'mail', topic: 'failed/red', at: minute(0), state: 'waiting', body: '{}' };
}

it('stores nothing behind a node that took over, and the rest when it is tried again', {
  timeout: 60_000,
}, async () => {
  const messages = Array.from({ length: MANY }, (_, number) => message(number));
  const putting = expect(storage.outbox.put({ messages })).rejects.toMatchObject({ code: 'unavailable' });
  await withRaw(url, async (db) => {
    const control = db.collection<{ _id: string }>('control');
    await expect.poll(() => control.countDocuments({ _id: 'outbox' })).toBe(1);
    await control.updateOne({ _id: 'outbox' }, { $set: { until: Date.now() + 600_000, holder: 'another' } });
    await putting;
    const stored = (await storage.outbox.counts()).waiting;
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(MANY);
    await control.updateOne({ _id: 'outbox' }, { $set: { until: 0 } });
    expect(await storage.outbox.put({ messages })).toBe(MANY - stored);
  });
  const listed = await storage.outbox.list({ limit: MANY });
  expect(listed.map(({ id }) => id)).toEqual(messages.map(({ id }) => id).reverse());
});
