import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../../../src/ports/index.ts';
import { save } from '../../../src/testing/samples.ts';
import { type CuttableLine, cuttableLine } from '../../support/cuttable-line.ts';
import { sharedMongodbUrl } from '../../support/shared-databases.ts';
import { dropDatabase, everything, freshUrlThrough, openStorage } from './harness.ts';

const refused = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: expect.any(Number) });

describe('MongoDB: a database that does not answer', () => {
  let line: CuttableLine;
  let url: string;
  let storage: Storage;

  beforeEach(async () => {
    line = await cuttableLine(await sharedMongodbUrl());
    url = await freshUrlThrough(line, 'serverSelectionTimeoutMS=400');
    storage = openStorage(url, 1_000);
  });

  afterEach(async () => {
    await storage.stop();
    await line.close();
    await dropDatabase(url);
  });

  it('is told at once, and works again by itself when the database is back', async () => {
    await storage.start();
    await save(storage.hosts, { alpha: { n: 1 } });
    await line.cut();
    const before = performance.now();
    await expect(save(storage.hosts, { alpha: { n: 2 } })).rejects.toEqual(refused);
    await expect(storage.hosts.get('alpha', null)).rejects.toEqual(refused);
    await expect(storage.revisions()).rejects.toEqual(refused);
    await expect(storage.rules.list('accounts')).rejects.toEqual(refused);
    await expect(everything(storage.hosts.scan({ scope: null, kind: 'all', state: 'any' }, 10))).rejects.toEqual(
      refused,
    );
    expect(performance.now() - before).toBeLessThan(5_000);
    expect((await storage.health()).ok).toBe(false);
    // Nor does a queue for one host wait as many times as it is long.
    const queue = Array.from({ length: 20 }, (_, n) => save(storage.hosts, { alpha: { n } }));
    const queued = performance.now();
    for (const answer of await Promise.allSettled(queue)) expect(answer.status).toBe('rejected');
    expect(performance.now() - queued).toBeLessThan(3_000);
    await line.mend();
    await expect.poll(async () => (await storage.health()).ok, { timeout: 10_000 }).toBe(true);
    expect((await storage.hosts.get('alpha', null))?.labels.value).toEqual({ n: 1 });
    expect(await save(storage.hosts, { alpha: { n: 3 } })).toEqual(['updated']);
  });

  it('does not start without the database, stops all the same, and starts later', async () => {
    await line.cut();
    await expect(storage.start()).rejects.toEqual(refused);
    await storage.stop();
    await line.mend();
    await storage.start();
    expect(await save(storage.hosts, { alpha: {} })).toEqual(['created']);
  });

  /** A write whose answer was lost may still be done by the database after the others. */
  async function atOneMoment(hostname: string) {
    const value = async () => (await storage.hosts.get(hostname, null))?.labels.value.n;
    for (;;) {
      const stored = await value();
      const history = await storage.history.ofHost(hostname, 1_000);
      if ((await value()) === stored) return { stored, history };
    }
  }

  it('loses nothing that was acknowledged when the line breaks again and again', async () => {
    await storage.start();
    const acknowledged = new Map<string, number>();
    let stop = false;
    async function write(hostname: string): Promise<void> {
      for (let n = 1; !stop; n++) {
        const outcome = await save(storage.hosts, { [hostname]: { n } }).catch(() => undefined);
        if (outcome !== undefined) acknowledged.set(hostname, n);
      }
    }
    const writers = ['a', 'b', 'c', 'd'].map(write);
    for (let turn = 0; turn < 3; turn++) {
      // Between two breaks each of them gets through, however busy the machine is.
      const before = new Map(acknowledged);
      const progress = () => ['a', 'b', 'c', 'd'].filter((name) => acknowledged.get(name) !== before.get(name)).length;
      await expect.poll(progress, { timeout: 20_000 }).toBe(4);
      await line.cut();
      await line.mend();
    }
    stop = true;
    await Promise.all(writers);
    await expect.poll(async () => (await storage.health()).ok, { timeout: 10_000 }).toBe(true);
    expect(acknowledged.size).toBe(4);
    for (const [hostname, n] of acknowledged) {
      const { stored, history } = await atOneMoment(hostname);
      expect(Number(stored)).toBeGreaterThanOrEqual(n);
      // Each stored state has its place in the history, and nothing is in there that did not happen.
      const steps = history.filter((change) => change.kind === 'labels').map((change) => change.changes[0]);
      let value = stored;
      for (const step of steps) {
        expect(step?.after).toBe(value);
        value = step?.before as number;
      }
    }
  });
});
