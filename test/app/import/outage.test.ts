import { describe, expect, it, onTestFinished } from 'vitest';
import type { ImportReport } from '../../../src/kit/summaries/import-summary.ts';
import { AppError, type SourceItem } from '../../../src/ports/index.ts';
import { dropDatabase, freshUrlThrough, openStorage } from '../../adapters/mongodb/harness.ts';
import { cuttableLine } from '../../support/cuttable-line.ts';
import { sharedMongodbUrl } from '../../support/shared-databases.ts';
import { hostNames, record, sourceOf, WEB, type World, world } from './support.ts';

const away = () => new AppError('unavailable', 'The database does not answer. Try again shortly.');

type Method = (...values: readonly unknown[]) => unknown;

/** A store whose calls get no answer twice: once after they were done, and once before. What reads step by step fails first of all. */
function failing<T extends object>(store: T): T {
  const members = Object.entries(store).map(([name, member]) => {
    let tries = 0;
    const call = (...values: readonly unknown[]) => {
      const turn = tries++ % 3;
      if (['scan', 'unrenewed', 'unrenewedKeys'].includes(name)) {
        return turn === 0 ? failsAtOnce() : (member as Method)(...values);
      }
      return (async () => {
        if (turn === 1) throw away();
        const answer = await (member as Method)(...values);
        if (turn === 0) throw away();
        return answer;
      })();
    };
    return [name, call];
  });
  return Object.fromEntries(members) as T;
}

// biome-ignore lint/correctness/useYield: it never comes to a step.
async function* failsAtOnce(): AsyncGenerator<never> {
  throw away();
}

async function failingWorld(): Promise<World> {
  const { storage } = await world();
  const { hosts, relations, marks, logs } = storage;
  return world({
    ...storage,
    hosts: failing(hosts),
    relations: failing(relations),
    marks: failing(marks),
    logs: failing(logs),
  });
}

const before: readonly SourceItem[] = [record('same', { a: 1 }), record('other', { a: 1 }), record('gone')];
const now: readonly SourceItem[] = [
  record('same', { a: 1 }),
  record('other', { a: 2 }),
  record('new'),
  ...hostNames(600),
  record('new', { second: true }),
];
const ARCHIVES = { options: { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 } };

/** Of hosts that nobody names the count is that of the last try. */
const told = ({ status, summary }: ImportReport) => ({ status, summary: { ...summary, duration_ms: 0, archived: 0 } });

describe('an import whose storage does not answer for a while', () => {
  it('does and tells what it does without that', async () => {
    const [usual, unlucky] = [await world(), await failingWorld()];
    const reports: unknown[][] = [];
    for (const { run, storage, active: hostnames } of [usual, unlucky]) {
      const active = () => eventually(hostnames);
      const first = await run(sourceOf(before));
      const second = await run(sourceOf(now), ARCHIVES);
      const entries = await eventually(() => storage.logs.latest({ limit: 9 }));
      reports.push([told(first), told(second), entries.map(({ source }) => source), await active()]);
    }
    expect(reports[1]).toEqual(reports[0]);
    expect(reports[0]?.[2]).toEqual(['import:web', 'import:web']);
  });

  it('tells so too of sections and contributions', async () => {
    const [usual, unlucky] = [await world(), await failingWorld()];
    const reports: unknown[] = [];
    for (const { run } of [usual, unlucky]) {
      await run(sourceOf(before));
      const section = { os: { name: 'linux' } };
      const items: readonly SourceItem[] = [
        { kind: 'record', position: '1', hostname: 'same', labels: { b: 1 }, inventory: { facts: section } },
        { kind: 'record', position: '2', hostname: 'other', labels: { b: 1 } },
      ];
      const mine = await run(sourceOf(items), { options: { mode: 'contribute' }, account: OTHER_ACCOUNT });
      const again = await run(sourceOf(items), { options: { mode: 'contribute' }, account: OTHER_ACCOUNT });
      reports.push([told(mine), told(again)]);
    }
    expect(reports[1]).toEqual(reports[0]);
  });

  it('fails with the reason when the storage stays away, and its entry is written when it is back', async () => {
    const { run, deps, storage } = await world();
    let isAway = false;
    const guarded = <T extends object>(store: T): T =>
      Object.fromEntries(
        Object.entries(store).map(([name, member]) => [
          name,
          async (...values: readonly unknown[]) => {
            if (isAway) throw away();
            return (member as Method)(...values);
          },
        ]),
      ) as T;
    const source = {
      async *read() {
        yield hostNames(600);
        isAway = true;
        yield hostNames(600, 600);
      },
    };
    const stores = { hosts: guarded(deps.hosts), logs: guarded(deps.logs) };
    const report = await run(source, { ...stores, longestOutageMs: 300, longestWaitMs: 300 });
    expect(report).toMatchObject({ status: 'failed', message: expect.stringMatching(/database does not answer/) });
    expect(await storage.logs.latest({ limit: 1 })).toEqual([]);
    isAway = false;
    await expect
      .poll(() => storage.logs.latest({ limit: 9 }), { timeout: 10_000 })
      .toMatchObject([
        { source: 'import:web', message: expect.stringMatching(/failed: The database does not answer/) },
      ]);
  });

  it('waits no longer once it is cancelled', async () => {
    const { run, deps } = await world();
    const cancel = new AbortController();
    const saveLabels = () => {
      setTimeout(() => cancel.abort(), 50);
      return Promise.reject(away());
    };
    const from = performance.now();
    const report = await run(sourceOf([record('a')]), {
      hosts: { ...deps.hosts, saveLabels },
      signal: cancel.signal,
    });
    expect(report).toMatchObject({ status: 'failed', cancelled: true });
    expect(performance.now() - from).toBeLessThan(5_000);
  });

  it('goes on where a MongoDB is gone for some seconds in the middle of it', async () => {
    const line = await cuttableLine(await sharedMongodbUrl());
    const url = await freshUrlThrough(line, 'serverSelectionTimeoutMS=400');
    const storage = openStorage(url);
    await storage.start();
    onTestFinished(async () => {
      await storage.stop();
      await line.close();
      await dropDatabase(url);
    });
    const { run, active } = await world(storage);
    await run(sourceOf([record('h00001', { n: 1 }), record('h00002')]));
    let outage: Promise<void> | undefined;
    const source = {
      async *read() {
        yield hostNames(400);
        outage = (async () => {
          await line.cut();
          await new Promise((resolve) => setTimeout(resolve, 4_000));
          await line.mend();
        })();
        yield hostNames(800, 400);
        yield [record('h00001', { second: true })];
      },
    };
    // However busy the machine is that the database shares with others.
    const report = await run(source, { longestOutageMs: 120_000 });
    await outage;
    expect([report.status, report.message]).toEqual(['done', expect.any(String)]);
    expect(report).toMatchObject({
      summary: { seen: 1_201, created: 1_198, updated: 1, unchanged: 1, skipped: 1, failed: 0 },
    });
    expect(await active()).toHaveLength(1_200);
    for (const [name, count] of [
      ['h00002', 2],
      ['h00300', 1],
      ['h01100', 1],
    ] as const) {
      expect(await storage.history.ofHost(name, 9), name).toHaveLength(count);
    }
    const [entry] = await storage.logs.latest({ limit: 1, source: 'import:web' });
    expect(entry?.message).toMatch(/^Import of web done/);
  });
});

const OTHER_ACCOUNT = { ...WEB, id: 'b'.repeat(24), name: 'other' };

/** What the storage answers that fails now and then. */
async function eventually<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch {
      // Once more.
    }
  }
}
