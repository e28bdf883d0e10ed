import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../../../src/ports/index.ts';
import { save } from '../../../src/testing/samples.ts';
import { type CuttableLine, cuttableLine } from '../../support/cuttable-line.ts';
import { sharedMongodbUrl } from '../../support/shared-databases.ts';
import { dropDatabase, everything, freshUrlThrough, openStorage } from './harness.ts';

const refused = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: expect.any(Number) });

/** More than what the system keeps for a connection that nobody reads. */
const LARGE = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`big${n}`, { text: 'x'.repeat(400_000) }]));
const LIMITS = 'serverSelectionTimeoutMS=400&connectTimeoutMS=400&socketTimeoutMS=4000';
/** Our deadline is the sum of these and a second. */
const ENDS_WITHIN_MS = 15_000;

describe('MongoDB: a call that the driver does not end', () => {
  let line: CuttableLine;
  let url: string;
  let storage: Storage;

  beforeEach(async () => {
    line = await cuttableLine(await sharedMongodbUrl());
    url = await freshUrlThrough(line, LIMITS);
    storage = openStorage(url, 1_000);
    await storage.start();
  });

  afterEach(async () => {
    await storage.stop();
    await line.close();
    await dropDatabase(url);
  });

  /** Dies in the middle of the hosts themselves: what comes before is small. */
  async function writeIntoDeadPath(): Promise<unknown> {
    await save(storage.hosts, { small: { at: performance.now() } });
    line.choke(1_000_000);
    const begun = performance.now();
    const answer = await Promise.race([
      save(storage.hosts, LARGE).catch((error: unknown) => error),
      sleep(2 * ENDS_WITHIN_MS, 'no answer', { ref: false }),
    ]);
    expect(performance.now() - begun).toBeLessThan(ENDS_WITHIN_MS);
    return answer;
  }

  it('ends by a deadline of ours, and the same write over connections made anew succeeds', async () => {
    expect(await writeIntoDeadPath()).toEqual(refused);
    expect(await storage.health()).toMatchObject({ ok: true });
    expect(await save(storage.hosts, { small: { n: 1 } })).toEqual(['updated']);
    expect(new Set(await save(storage.hosts, LARGE))).toEqual(new Set(['created']));
  });

  it('leaves no connections behind, however often it happens', async () => {
    const before = line.connections();
    for (let time = 0; time < 3; time++) expect(await writeIntoDeadPath()).toEqual(refused);
    await save(storage.hosts, { small: { n: 1 } });
    await expect.poll(() => line.connections(), { timeout: 20_000 }).toBeLessThanOrEqual(before);
  });

  it('does not break off what others are reading', async () => {
    for (let first = 0; first < 1_200; first += 100) {
      await save(storage.hosts, Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`h${first + n}`, { n }])));
    }
    const reading = storage.hosts.scan({ scope: null, kind: 'all', state: 'any' }, 100)[Symbol.asyncIterator]();
    const first = await reading.next();
    expect(await writeIntoDeadPath()).toEqual(refused);
    // Until the connections of before are let go of.
    await sleep(7_000);
    const rest = await everything({ [Symbol.asyncIterator]: () => reading });
    expect([...(first.value ?? []), ...rest.flat()].filter(({ hostname }) => hostname.startsWith('h'))).toHaveLength(
      1_200,
    );
  });

  it('keeps nobody waiting who stops', async () => {
    expect(await writeIntoDeadPath()).toEqual(refused);
    const begun = performance.now();
    await storage.stop();
    expect(performance.now() - begun).toBeLessThan(ENDS_WITHIN_MS);
  });
});
