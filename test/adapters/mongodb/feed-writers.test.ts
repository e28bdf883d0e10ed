import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FeedRowDoc } from '../../../src/adapters/storage/mongodb/documents.ts';
import type { Storage } from '../../../src/ports/index.ts';
import { actor, minute, red, save, saveNames } from '../../../src/testing/samples.ts';
import { dropDatabase, freshUrl, openStorage, withRaw } from './harness.ts';

/** Nobody waits so long for a writer. */
const LEASE_MS = 60_000;
const AN_HOUR_MS = 3_600_000;

let url: string;
let storage: Storage;

beforeEach(async () => {
  url = await freshUrl();
  storage = openStorage(url, LEASE_MS);
  await storage.start();
});

afterEach(async () => {
  await storage.stop();
  await dropDatabase(url);
});

/** What a writer said before it wrote. */
async function open(notes: FeedRowDoc['notes'], openedAt: number): Promise<void> {
  await withRaw(url, async (db) => {
    const rows = db.collection<FeedRowDoc>('hostFeed');
    const last = await rows.findOne({}, { sort: { _id: -1 } });
    await rows.insertOne({ _id: (last?._id ?? 0) + 1, at: minute(3), actor, notes, state: 'open', openedAt });
  });
}

async function told(since = 'start') {
  const page = await storage.feed.after(since, 100);
  if (page === 'gone') throw new Error('gone');
  return {
    next: page.next,
    isOpen: page.isOpen,
    kinds: page.entries.map(({ kind, hostname }) => `${kind} ${hostname}`),
  };
}

it('has one id, whoever comes first', async () => {
  await saveNames(storage.hosts, ['a'], { at: minute(1) });
  await storage.history.prune(minute(2));
  const { next } = await told();
  await saveNames(storage.hosts, ['b']);
  expect((await told(next)).kinds).toEqual(['created b']);
});

describe('the change feed, while a writer is at work', () => {
  it('is read up to that writer, so that nothing comes behind a reader', async () => {
    await saveNames(storage.hosts, ['a']);
    await open([{ kind: 'created', hostname: 'slow', account: red.id }], Date.now());
    await saveNames(storage.hosts, ['b']);
    expect(await told()).toMatchObject({ kinds: ['created a'], isOpen: true });
    const { next, isOpen } = await told('now');
    expect(isOpen).toBe(true);
    await withRaw(url, (db) => db.collection('hostFeed').updateOne({ state: 'open' }, { $set: { state: 'done' } }));
    expect(await told(next)).toMatchObject({ kinds: ['created slow', 'created b'], isOpen: false });
  });

  it('tells of a writer that died what happened, and nothing else', async () => {
    await save(storage.hosts, { a: { n: 1 }, b: {} });
    await save(storage.hosts, { a: { n: 2 } }, { at: minute(2) });
    const [kept] = await withRaw(url, (db) => db.collection('history').find().toArray());
    const { next } = await told();
    await open(
      [
        { kind: 'created', hostname: 'b', account: red.id },
        { kind: 'created', hostname: 'never', account: red.id },
        { kind: 'deleted', hostname: 'a', account: red.id },
        { kind: 'deleted', hostname: 'purged', account: red.id },
        { kind: 'labels', hostname: 'a', change: String(kept?._id) },
        { kind: 'labels', hostname: 'a', change: '0'.repeat(24) },
      ],
      Date.now() - LEASE_MS,
    );
    const first = await told(next);
    expect(first.kinds).toEqual(['created b', 'deleted purged', 'labels a']);
    expect(await told(next)).toEqual(first);
  });

  it('waits for no writer longer than the lease, also where the clock of that node was ahead', async () => {
    await saveNames(storage.hosts, ['a']);
    const impatient = openStorage(url, 500);
    await impatient.start();
    onTestFinished(() => impatient.stop());
    await open([{ kind: 'created', hostname: 'a', account: red.id }], Date.now() + AN_HOUR_MS);
    await saveNames(storage.hosts, ['b']);
    const page = async () => {
      const answer = await impatient.feed.after('start', 100);
      return answer === 'gone' ? answer : answer.entries.map(({ hostname }) => hostname);
    };
    await expect.poll(page, { timeout: 10_000 }).toEqual(['a', 'a', 'b']);
  });

  it('goes by the clock of the database, and by that of no node', async () => {
    await saveNames(storage.hosts, ['a']);
    const before = Date.now();
    await open([{ kind: 'created', hostname: 'slow', account: red.id }], before);
    const now = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => now() + AN_HOUR_MS);
    onTestFinished(() => void vi.restoreAllMocks());
    await saveNames(storage.hosts, ['b']);
    expect(await told()).toMatchObject({ kinds: ['created a'], isOpen: true });
    const newest = await withRaw(url, (db) => db.collection('hostFeed').findOne({}, { sort: { _id: -1 } }));
    expect(newest?.openedAt).toBeGreaterThanOrEqual(before);
    expect(newest?.openedAt).toBeLessThanOrEqual(now());
  });

  it('tells once more, as a whole, what a writer did who was held for dead', async () => {
    const impatient = openStorage(url, 1);
    await impatient.start();
    const seen: string[] = [];
    let since = 'start';
    let isOver = false;
    const reading = (async () => {
      for (;;) {
        const wasOver = isOver;
        const page = await impatient.feed.after(since, 100);
        if (page === 'gone') throw new Error('gone');
        seen.push(...page.entries.map(({ hostname }) => hostname));
        since = page.next;
        if (wasOver && !page.more) return;
      }
    })();
    const names = Array.from({ length: 30 }, (_, number) => `host${number}`);
    await Promise.all(names.map((name) => saveNames(storage.hosts, [name])));
    isOver = true;
    await reading;
    await impatient.stop();
    expect(new Set(seen)).toEqual(new Set(names));
  });
});
