import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ActiveRunStart, Storage } from '../ports/index.ts';
import { blue, minute, nets, red, ruleId } from './samples.ts';

const LONG_MS = 600_000;
/** Its lease is over before anybody can look. */
const died = { leaseMs: -1000 };

function activeRun(number: number, more: Partial<ActiveRunStart> = {}): ActiveRunStart {
  return {
    id: ruleId(number),
    kind: 'import',
    accountId: red.id,
    account: 'red',
    part: null,
    startedBy: 'ada',
    startedAt: minute(number),
    holder: `n1/${number}`,
    leaseMs: LONG_MS,
    ...more,
  };
}

function keyOf(number: number, accountId = red.id) {
  return { id: ruleId(number), accountId };
}

export function describeActiveRunStoreContract(fresh: () => Storage): void {
  describe('ActiveRunStore', () => {
    describeOrder(fresh);
    describeExclusion(fresh);
    describeLeases(fresh);
  });
}

async function idsOf({ activeRuns }: Storage): Promise<string[]> {
  return (await activeRuns.list()).map(({ id }) => id);
}

function describeOrder(fresh: () => Storage): void {
  it('shows a run from its beginning to its end', async () => {
    const { activeRuns } = fresh();
    const texts = { account: '$red "a"', part: '$part', startedBy: "it's; DROP TABLE --", holder: '$n1/é\u{1f600}' };
    const { leaseMs, ...start } = activeRun(1, texts);
    expect(await activeRuns.list()).toEqual([]);
    expect(await activeRuns.begin({ ...start, leaseMs })).toBeUndefined();
    expect(await activeRuns.list()).toEqual([{ ...start, progress: null }]);
    const progress = { done: 3, total: null, unit: 'records', note: '$ 3 records' } as const;
    expect(await activeRuns.keep({ ...keyOf(1), leaseMs, progress })).toBe('kept');
    expect(await activeRuns.keep({ ...keyOf(1), leaseMs })).toBe('kept');
    expect(await activeRuns.list()).toEqual([{ ...start, progress }]);
    const more = { done: 5, total: 9, unit: 'bytes', note: 'x\ud800' } as const;
    expect(await activeRuns.keep({ ...keyOf(1), leaseMs, progress: more })).toBe('kept');
    expect(await activeRuns.list()).toEqual([{ ...start, progress: { ...more, note: 'x\ufffd' } }]);
    expect(await activeRuns.end(keyOf(1))).toBe(true);
    expect(await activeRuns.end(keyOf(1))).toBe(false);
    expect(await activeRuns.keep({ ...keyOf(1), leaseMs })).toBe('ended');
    expect(await activeRuns.list()).toEqual([]);
  });

  it('lists the oldest first, by start and then id', async () => {
    const storage = fresh();
    const { activeRuns } = storage;
    await activeRuns.begin(activeRun(3, { kind: 'plan', startedAt: minute(1) }));
    await activeRuns.begin(activeRun(2, { kind: 'plan', startedAt: minute(2) }));
    await activeRuns.begin(activeRun(1, { accountId: blue.id, startedAt: minute(2) }));
    expect(await idsOf(storage)).toEqual([ruleId(3), ruleId(1), ruleId(2)]);
  });
}

function describeExclusion(fresh: () => Storage): void {
  it('answers the run that is in the way, and stores nothing', async () => {
    const storage = fresh();
    const { activeRuns } = storage;
    const { leaseMs, ...first } = activeRun(1);
    await activeRuns.begin({ ...first, leaseMs });
    const inTheWay = { ...first, progress: null };
    expect(await activeRuns.begin(activeRun(2, { startedBy: 'bob' }))).toEqual(inTheWay);
    expect(await activeRuns.begin(activeRun(3, { part: 'sites' }))).toEqual(inTheWay);
    expect(await idsOf(storage)).toEqual([ruleId(1)]);
    await activeRuns.end(keyOf(1));
    expect(await activeRuns.begin(activeRun(3, { part: 'sites' }))).toBeUndefined();
  });

  it('lets parts run beside each other, but not twice, and not beside all of them', async () => {
    const storage = fresh();
    const { activeRuns } = storage;
    expect(await activeRuns.begin(activeRun(1, { part: 'sites' }))).toBeUndefined();
    expect(await activeRuns.begin(activeRun(2, { part: 'devices' }))).toBeUndefined();
    expect(await activeRuns.begin(activeRun(3, { part: 'sites' }))).toMatchObject({ id: ruleId(1) });
    expect(await activeRuns.begin(activeRun(4))).toMatchObject({ account: 'red' });
    expect(await idsOf(storage)).toEqual([ruleId(1), ruleId(2)]);
  });

  it('holds up neither other kinds nor other accounts, and no plan at all', async () => {
    const storage = fresh();
    const { activeRuns } = storage;
    const starts = [
      activeRun(1),
      activeRun(2, { kind: 'export' }),
      activeRun(3, { accountId: blue.id }),
      activeRun(4, { kind: 'plan' }),
      activeRun(5, { kind: 'plan' }),
    ];
    for (const start of starts) expect(await activeRuns.begin(start), start.kind).toBeUndefined();
    expect(await idsOf(storage)).toEqual(starts.map(({ id }) => id));
    expect(await activeRuns.begin(activeRun(6, { kind: 'export' }))).toMatchObject({ id: ruleId(2) });
  });

  it('lets one of many begin who begin at once', async () => {
    const storage = fresh();
    const { activeRuns } = storage;
    const numbers = Array.from({ length: 20 }, (_, n) => n + 1);
    const answers = await Promise.all(numbers.map((number) => activeRuns.begin(activeRun(number))));
    const winners = numbers.filter((_, n) => answers[n] === undefined);
    expect(winners.length).toBe(1);
    const winner = ruleId(winners[0] ?? 0);
    expect(await idsOf(storage)).toEqual([winner]);
    for (const answer of answers) if (answer !== undefined) expect(answer.id).toBe(winner);
  });
}

function describeLeases(fresh: () => Storage): void {
  it('lets go by itself when the lease runs out', async () => {
    const storage = fresh();
    const { activeRuns } = storage;
    await activeRuns.begin(activeRun(1, { leaseMs: 5 }));
    await sleep(50);
    expect(await idsOf(storage)).toEqual([]);
    expect(await activeRuns.begin(activeRun(2))).toBeUndefined();
    expect(await activeRuns.keep({ ...keyOf(1), leaseMs: LONG_MS })).toBe('ended');
    expect(await idsOf(storage)).toEqual([ruleId(2)]);
  });

  it('names runs that nobody ended, until somebody does or another one begins', async () => {
    const { activeRuns } = fresh();
    const { leaseMs: _, ...first } = activeRun(1, { ...died, part: 'sites' });
    await activeRuns.begin({ ...first, ...died });
    await activeRuns.begin(activeRun(2, { accountId: blue.id, ...died }));
    await activeRuns.begin(activeRun(3, { accountId: nets.id }));
    expect(await activeRuns.lapsed()).toMatchObject([{ ...first, progress: null }, { id: ruleId(2) }]);
    expect(await activeRuns.end(keyOf(1))).toBe(true);
    await activeRuns.begin(activeRun(4, { accountId: blue.id }));
    expect(await activeRuns.lapsed()).toEqual([]);
    expect(await activeRuns.end(keyOf(1))).toBe(false);
  });

  it('lengthens a lease from now on, one that ran out too', async () => {
    const storage = fresh();
    const { activeRuns } = storage;
    await activeRuns.begin(activeRun(1, died));
    expect(await activeRuns.keep({ ...keyOf(1), leaseMs: LONG_MS })).toBe('kept');
    expect(await idsOf(storage)).toEqual([ruleId(1)]);
    expect(await activeRuns.begin(activeRun(2))).toMatchObject({ id: ruleId(1) });
  });

  it('tells who runs it that somebody asked to cancel it', async () => {
    const storage = fresh();
    const { activeRuns } = storage;
    await activeRuns.begin(activeRun(1));
    expect(await activeRuns.requestCancel(keyOf(1))).toBe(true);
    const progress = { done: 1, total: 2, unit: 'hosts', note: '' } as const;
    expect(await activeRuns.keep({ ...keyOf(1), leaseMs: LONG_MS, progress })).toBe('cancel');
    expect(await activeRuns.keep({ ...keyOf(1), leaseMs: LONG_MS })).toBe('cancel');
    expect(await activeRuns.list()).toMatchObject([{ id: ruleId(1), progress }]);
    await activeRuns.begin(activeRun(2, { accountId: blue.id, ...died }));
    for (const key of [keyOf(2, blue.id), keyOf(3), keyOf(4, blue.id)]) {
      expect(await activeRuns.requestCancel(key)).toBe(false);
    }
  });

  it('is no part of transfers', async () => {
    const storage = fresh();
    await storage.activeRuns.begin(activeRun(1));
    await storage.transfer.clear();
    expect(await idsOf(storage)).toEqual([]);
  });
}
