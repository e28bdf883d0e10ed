import { describe, expect, it } from 'vitest';
import type { PlanCounts, PlanEntry, PlanStart, Storage } from '../ports/index.ts';
import { blue, minute, red, ruleId } from './samples.ts';

function planStart(number: number, more: Partial<PlanStart> = {}): PlanStart {
  return {
    id: ruleId(number),
    accountId: red.id,
    account: 'red',
    madeBy: '$ada "a"',
    madeAt: minute(number),
    basis: { hosts: 7, rules: 'r1' },
    holder: `maker ${number}`,
    leaseMs: 600_000,
    isExclusive: false,
    ...more,
  };
}

function planEntry(number: number, more: Partial<PlanEntry> = {}): PlanEntry {
  return {
    number,
    action: 'update',
    kind: 'device',
    key: `web${number}`,
    previousKey: null,
    hostname: `web${number}.example.org`,
    rule: null,
    drift: false,
    fields: [],
    after: [],
    remote: null,
    digest: 'd',
    secrets: '',
    outcome: null,
    reason: '',
    ...more,
  };
}

const counts: PlanCounts = {
  create: 1,
  update: 2,
  move: 3,
  delete: 4,
  adopt: 5,
  conflict: 6,
  unchanged: 7,
  kept: 8,
};

/** Its lease is over before anybody can look. */
const died = { leaseMs: -1000 };
const claimed = { holder: 'n1', by: 'bob', at: minute(40), leaseMs: 600_000 };
const ended = { at: minute(50), done: 3, failed: 1, message: '$ one was refused' };

async function ready(storage: Storage, number: number, more: { readonly needsApproval?: boolean } = {}) {
  await storage.plans.begin(planStart(number));
  await settle(storage, number, more);
}

async function settle(
  { plans }: Storage,
  number: number,
  more: { readonly needsApproval?: boolean; readonly status?: 'ready' | 'refused' | 'failed' } = {},
) {
  return plans.settle({
    id: ruleId(number),
    status: 'ready',
    counts,
    drift: 0,
    needsApproval: false,
    message: '',
    ...more,
  });
}

export function describePlanStoreContract(fresh: () => Storage): void {
  describe('PlanStore', () => {
    describeMaking(fresh);
    describeEntries(fresh);
    describeApplying(fresh);
    describeDiscarding(fresh);
    describeRemoving(fresh);
  });
}

function describeMaking(fresh: () => Storage): void {
  it('shows a plan from its beginning until it is ready', async () => {
    const storage = fresh();
    const { plans } = storage;
    const { holder, leaseMs, isExclusive, ...start } = planStart(1);
    expect(await plans.begin({ ...start, holder, leaseMs, isExclusive })).toBe(true);
    const none = { create: 0, update: 0, move: 0, delete: 0, adopt: 0, conflict: 0, unchanged: 0, kept: 0 };
    const nobody = { approvedBy: null, approvedAt: null, appliedBy: null, appliedAt: null, endedAt: null };
    const open = { ...start, ...nobody, counts: none, drift: 0, done: 0, failed: 0, needsApproval: false, message: '' };
    expect(await plans.find(start.id)).toEqual({ ...open, status: 'planning' });
    const end = { status: 'refused', drift: 3, needsApproval: true, message: '$too much \u{1f600}' } as const;
    expect(await plans.settle({ id: start.id, counts, ...end })).toBe(true);
    expect(await plans.find(start.id)).toEqual({ ...open, ...end, counts });
    expect(await plans.list({ limit: 5, accounts: null })).toEqual([{ ...open, ...end, counts }]);
    expect(await plans.settle({ id: start.id, counts, ...end, status: 'ready' })).toBe(false);
    expect(await plans.settle({ id: ruleId(9), counts, ...end })).toBe(false);
    expect(await plans.find(ruleId(9))).toBeUndefined();
    expect((await plans.find(start.id))?.status).toBe('refused');
  });

  it('counts a plan as failed whose maker is not heard of any more, until it is', async () => {
    const { plans } = fresh();
    await plans.begin(planStart(1, died));
    expect((await plans.find(ruleId(1)))?.status).toBe('failed');
    expect((await plans.find(ruleId(1)))?.message).not.toBe('');
    expect(await plans.append({ id: ruleId(1), entries: [], leaseMs: 600_000 })).toBe(true);
    expect(await plans.find(ruleId(1))).toMatchObject({ status: 'planning', message: '' });
  });

  it('lists the newest first, by time, then id descending, of the accounts, and goes on behind any', async () => {
    const { plans } = fresh();
    const accounts = [red, red, blue, blue, red];
    for (const [index, { id }] of accounts.entries()) {
      await plans.begin(planStart(index + 1, { accountId: id, madeAt: minute(index === 1 ? 9 : 5) }));
    }
    const idsOf = async (request: Parameters<typeof plans.list>[0]) => (await plans.list(request)).map(({ id }) => id);
    const order = [2, 5, 4, 3, 1].map(ruleId);
    expect(await idsOf({ limit: 10, accounts: null })).toEqual(order);
    expect(await idsOf({ limit: 2, accounts: null })).toEqual(order.slice(0, 2));
    expect(await idsOf({ limit: 0, accounts: null })).toEqual([]);
    expect(await idsOf({ limit: 10, accounts: [] })).toEqual([]);
    expect(await idsOf({ limit: 10, accounts: [red.id] })).toEqual([2, 5, 1].map(ruleId));
    for (const [index, plan] of (await plans.list({ limit: 10, accounts: null })).entries()) {
      const rest = order.slice(index + 1, index + 3);
      expect(await idsOf({ limit: 2, accounts: null, before: plan })).toEqual(rest);
    }
    const before = { id: ruleId(4), madeAt: minute(5) };
    expect(await idsOf({ limit: 10, accounts: [red.id], before })).toEqual([ruleId(1)]);
  });
}

function describeEntries(fresh: () => Storage): void {
  it('keeps entries to the letter, and takes them only while the plan is made', async () => {
    const storage = fresh();
    const { plans } = storage;
    await plans.begin(planStart(1));
    const whole = planEntry(2, {
      action: 'move',
      previousKey: '$old.key',
      hostname: null,
      rule: { id: ruleId(5), type: 'registry_sites', name: '$by.site' },
      drift: true,
      fields: [
        { name: 'a.b', before: { $x: [1, null] }, after: { '10': 1, '2': 'ü' } },
        { name: '__proto__', after: 'x' },
        { name: '$password', after: 'sealed', secret: true },
      ],
      after: [{ kind: 'site', key: 'Berlin' }],
      remote: { id: '17', etag: null, digest: 'abc' },
      secrets: 'sealed',
      outcome: 'refused',
      reason: '$why',
    });
    const entries = [planEntry(1), whole];
    expect(await plans.append({ id: ruleId(1), entries, leaseMs: 600_000 })).toBe(true);
    expect(await plans.append({ id: ruleId(1), entries: [planEntry(3)], leaseMs: 600_000 })).toBe(true);
    await settle(storage, 1);
    expect(await plans.append({ id: ruleId(1), entries: [planEntry(4)], leaseMs: 600_000 })).toBe(false);
    expect(await plans.append({ id: ruleId(9), entries: [planEntry(1)], leaseMs: 600_000 })).toBe(false);
    const all = { id: ruleId(1), filter: {}, after: 0, limit: 10 };
    expect(await plans.entries(all)).toEqual([...entries, planEntry(3)]);
    expect(await plans.entries({ ...all, id: ruleId(9) })).toEqual([]);
  });

  it('pages them behind a number, by action, kind, outcome and literal text', async () => {
    const storage = fresh();
    const { plans } = storage;
    await plans.begin(planStart(1));
    await plans.begin(planStart(2));
    const entries = [
      planEntry(1, { action: 'create', key: 'a%b', hostname: 'x' }),
      planEntry(2, { kind: 'site', key: 'A.b', hostname: null }),
      planEntry(3, { previousKey: 'gone(1)', hostname: 'y' }),
      planEntry(4, { action: 'delete', key: '$[a', hostname: 'h_4', outcome: 'blocked', reason: 'r' }),
      planEntry(5, { action: 'create', key: 'axb', hostname: 'h-4', outcome: 'done' }),
    ];
    await plans.append({ id: ruleId(1), entries, leaseMs: 600_000 });
    await plans.append({ id: ruleId(2), entries: [planEntry(1)], leaseMs: 600_000 });
    const numbers = async (filter: Parameters<typeof plans.entries>[0]['filter'], after = 0, limit = 10) =>
      (await plans.entries({ id: ruleId(1), filter, after, limit })).map(({ number }) => number);
    expect(await numbers({})).toEqual([1, 2, 3, 4, 5]);
    expect(await numbers({}, 2, 2)).toEqual([3, 4]);
    expect(await numbers({}, 0, 0)).toEqual([]);
    expect(await numbers({ action: 'create' })).toEqual([1, 5]);
    expect(await numbers({ action: 'create' }, 1)).toEqual([5]);
    expect(await numbers({ kind: 'site' })).toEqual([2]);
    expect(await numbers({ outcome: 'open' })).toEqual([1, 2, 3]);
    expect(await numbers({ outcome: 'blocked' })).toEqual([4]);
    expect(await numbers({ text: 'a%b' })).toEqual([1]);
    expect(await numbers({ text: 'a.b' })).toEqual([]);
    expect(await numbers({ text: 'A.b' })).toEqual([2]);
    expect(await numbers({ text: '(1)' })).toEqual([3]);
    expect(await numbers({ text: '$[' })).toEqual([4]);
    expect(await numbers({ text: 'h_4' })).toEqual([4]);
    expect(await numbers({ text: 'b', action: 'create', outcome: 'done' })).toEqual([5]);
    expect(await numbers({ text: 'h' })).toEqual([4, 5]);
    expect(await numbers({ text: 'h' }, 4)).toEqual([5]);
    expect(await numbers({ text: 'h' }, 0, 1)).toEqual([4]);
    expect(await numbers({ text: ',' })).toEqual([]);
    expect(await numbers({ text: 'null' })).toEqual([]);
    const odd = [planEntry(6, { key: 'say "x"\\n \n é' }), planEntry(7, { key: 'rack/7' })];
    await plans.append({ id: ruleId(1), entries: odd, leaseMs: 600_000 });
    for (const text of ['"x"', '\\n', '\n', ' é', 'y "']) expect(await numbers({ text }), text).toEqual([6]);
    expect(await numbers({ text: 'n \\' })).toEqual([]);
    expect(await numbers({ text: '/' })).toEqual([7]);
    expect(await numbers({ text: 'a' }, 1)).toEqual([4, 5, 6, 7]);
  });

  it('pages them whole where few of many match, and where numbers are missing', async () => {
    const { plans } = fresh();
    await plans.begin(planStart(1));
    const kinds = { 2: 'site', 30: 'site', 95: 'site', 96: 'rack' } as const;
    const entries = [1, 2, 3, 8, 30, 31, 94, 95, 96].map((number) =>
      planEntry(number, { kind: kinds[number as keyof typeof kinds] ?? 'device' }),
    );
    await plans.append({ id: ruleId(1), entries, leaseMs: 600_000 });
    const numbers = async (kind: string | undefined, after: number, limit: number) => {
      const filter = kind === undefined ? {} : { kind };
      return (await plans.entries({ id: ruleId(1), filter, after, limit })).map(({ number }) => number);
    };
    expect(await numbers(undefined, 0, 3)).toEqual([1, 2, 3]);
    expect(await numbers(undefined, 2, 4)).toEqual([3, 8, 30, 31]);
    expect(await numbers(undefined, 8, 2)).toEqual([30, 31]);
    expect(await numbers(undefined, 31, 1)).toEqual([94]);
    expect(await numbers(undefined, 96, 1)).toEqual([]);
    expect(await numbers('site', 0, 1)).toEqual([2]);
    expect(await numbers('site', 2, 1)).toEqual([30]);
    expect(await numbers('site', 0, 3)).toEqual([2, 30, 95]);
    expect(await numbers('site', 30, 9)).toEqual([95]);
    expect(await numbers('rack', 0, 1)).toEqual([96]);
    expect(await numbers('room', 0, 1)).toEqual([]);
    const far = [40_000, 9_000_000].map((number) => planEntry(number, { kind: 'site' }));
    await plans.append({ id: ruleId(1), entries: far, leaseMs: 600_000 });
    expect(await numbers('site', 30, 2)).toEqual([95, 40_000]);
    expect(await numbers('site', 0, 9)).toEqual([2, 30, 95, 40_000, 9_000_000]);
    expect(await numbers(undefined, 95, 9)).toEqual([96, 40_000, 9_000_000]);
  });

  it('notes what happened to entries', async () => {
    const storage = fresh();
    const { plans } = storage;
    await plans.begin(planStart(1));
    await plans.append({ id: ruleId(1), entries: [1, 2, 3].map((n) => planEntry(n)), leaseMs: 600_000 });
    await settle(storage, 1);
    const outcomes = [
      { number: 3, outcome: 'done', reason: '' },
      { number: 1, outcome: 'refused', reason: '$no' },
      { number: 7, outcome: 'done', reason: '' },
    ] as const;
    await plans.noteOutcomes({ id: ruleId(1), outcomes });
    await plans.noteOutcomes({ id: ruleId(9), outcomes });
    expect(await plans.entries({ id: ruleId(1), filter: {}, after: 0, limit: 9 })).toEqual([
      planEntry(1, { outcome: 'refused', reason: '$no' }),
      planEntry(2),
      planEntry(3, { outcome: 'done' }),
    ]);
  });
}

function describeApplying(fresh: () => Storage): void {
  it('gives a plan to one who applies it, who says how far it is and how it ended', async () => {
    const storage = fresh();
    const { plans } = storage;
    await ready(storage, 1);
    const id = ruleId(1);
    const claims = Array.from({ length: 10 }, (_, n) => plans.claim({ ...claimed, id, holder: `n${n}` }));
    const won = await Promise.all(claims);
    expect(won.filter((one) => one).length).toBe(1);
    const holder = `n${won.indexOf(true)}`;
    expect(await plans.find(id)).toMatchObject({ status: 'applying', appliedBy: 'bob', appliedAt: minute(40) });
    expect(await plans.keep({ id, holder: 'other', leaseMs: 1000, done: 1, failed: 0 })).toBe(false);
    expect(await plans.keep({ id, holder, leaseMs: 600_000, done: 2, failed: 1 })).toBe(true);
    expect(await plans.find(id)).toMatchObject({ status: 'applying', done: 2, failed: 1 });
    expect(await plans.finish({ id, holder: 'other', status: 'done', ...ended })).toBe(false);
    expect(await plans.finish({ id, holder, status: 'partial', ...ended })).toBe(true);
    const { at: endedAt, ...told } = ended;
    expect(await plans.find(id)).toMatchObject({ status: 'partial', endedAt, ...told });
    expect(await plans.finish({ id, holder, status: 'done', ...ended })).toBe(false);
    expect(await plans.claim({ ...claimed, id })).toBe(false);
  });

  it('lets somebody go on where the one who applied it died or gave up', async () => {
    const storage = fresh();
    const { plans } = storage;
    await ready(storage, 1);
    const id = ruleId(1);
    expect(await plans.claim({ ...claimed, id, ...died })).toBe(true);
    expect((await plans.find(id))?.status).toBe('interrupted');
    expect(await plans.claim({ ...claimed, id, holder: 'n2', by: '$eve' })).toBe(true);
    expect(await plans.find(id)).toMatchObject({ status: 'applying', appliedBy: '$eve' });
    expect(await plans.keep({ id, holder: 'n1', leaseMs: 1000, done: 0, failed: 0 })).toBe(false);
    expect(await plans.finish({ id, holder: 'n2', status: 'interrupted', ...ended })).toBe(true);
    expect(await plans.find(id)).toMatchObject({ status: 'interrupted', message: ended.message });
    expect(await plans.claim({ ...claimed, id, holder: 'n3', ...died })).toBe(true);
    expect((await plans.find(id))?.message).toBe('the process that applied it ended before it was done');
  });

  it('lets one plan of an account be applied at a time', async () => {
    const storage = fresh();
    const { plans } = storage;
    for (const number of [1, 2]) await ready(storage, number);
    await plans.begin(planStart(3, { accountId: blue.id }));
    await settle(storage, 3);
    const claims = [1, 2].map((number) => plans.claim({ ...claimed, id: ruleId(number), holder: `n${number}` }));
    const won = await Promise.all(claims);
    expect(won.filter((one) => one).length).toBe(1);
    const [first, second] = won[0] ? [1, 2] : [2, 1];
    expect(await plans.find(ruleId(second))).toMatchObject({ status: 'ready' });
    expect(await plans.claim({ ...claimed, id: ruleId(3) })).toBe(true);
    const held = { id: ruleId(first), holder: `n${first}` };
    expect(await plans.finish({ ...held, status: 'done', ...ended })).toBe(true);
    expect(await plans.claim({ ...claimed, id: ruleId(second), ...died })).toBe(true);
    await ready(storage, 4);
    expect(await plans.claim({ ...claimed, id: ruleId(4), holder: 'n4' })).toBe(true);
    // A holder that was too slow must not continue next to the other one.
    expect(await plans.keep({ id: ruleId(second), holder: 'n1', leaseMs: 600_000, done: 0, failed: 0 })).toBe(false);
    expect(await plans.claim({ ...claimed, id: ruleId(second) })).toBe(false);
    expect(await plans.find(ruleId(second))).toMatchObject({ status: 'interrupted' });
  });

  it('holds the account from the beginning for a plan that is applied as soon as it is made', async () => {
    const storage = fresh();
    const { plans } = storage;
    const exclusive = { isExclusive: true };
    const begun = await Promise.all([1, 2].map((number) => plans.begin(planStart(number, exclusive))));
    expect(begun.filter((one) => one).length).toBe(1);
    const [first, second] = begun[0] ? [1, 2] : [2, 1];
    expect(await plans.find(ruleId(second))).toBeUndefined();
    await ready(storage, 3);
    expect(await plans.claim({ ...claimed, id: ruleId(3) })).toBe(false);
    await settle(storage, first);
    expect(await plans.claim({ ...claimed, id: ruleId(3) })).toBe(false);
    expect(await plans.release(ruleId(first))).toBe(true);
    expect(await plans.release(ruleId(first))).toBe(false);
    expect(await plans.release(ruleId(9))).toBe(false);
    expect(await plans.claim({ ...claimed, id: ruleId(first) })).toBe(true);
    expect(await plans.release(ruleId(first))).toBe(false);
    const held = { id: ruleId(first), holder: 'n1' };
    expect(await plans.finish({ ...held, status: 'done', ...ended })).toBe(true);
    for (const status of ['refused', 'failed'] as const) {
      expect(await plans.begin(planStart(4, exclusive))).toBe(true);
      await settle(storage, 4, { status });
      await plans.remove(ruleId(4));
    }
    expect(await plans.begin(planStart(4, { ...exclusive, ...died }))).toBe(true);
    expect(await plans.begin(planStart(5, { ...exclusive, accountId: blue.id }))).toBe(true);
    expect(await plans.claim({ ...claimed, id: ruleId(3) })).toBe(true);
  });

  it('says who holds an account, and takes it back from one who is known to be dead', async () => {
    const storage = fresh();
    const { plans } = storage;
    expect(await plans.holding(red.id)).toBeUndefined();
    await ready(storage, 1);
    expect(await plans.holding(red.id)).toBeUndefined();
    expect(await plans.begin(planStart(2, { isExclusive: true }))).toBe(true);
    const made = { id: ruleId(2), holder: 'maker 2' };
    expect(await plans.holding(red.id)).toEqual(made);
    expect(await plans.holding(blue.id)).toBeUndefined();
    expect(await plans.takeBack({ ...made, holder: 'maker 1' })).toBe(false);
    expect(await plans.takeBack({ ...made, id: ruleId(1) })).toBe(false);
    expect(await plans.takeBack(made)).toBe(true);
    expect(await plans.takeBack(made)).toBe(false);
    expect(await plans.holding(red.id)).toBeUndefined();
    expect((await plans.find(ruleId(2)))?.status).toBe('failed');
    // Settled and still holding, applied, and with its lease ended.
    expect(await plans.begin(planStart(3, { isExclusive: true }))).toBe(true);
    await settle(storage, 3);
    expect(await plans.holding(red.id)).toEqual({ id: ruleId(3), holder: 'maker 3' });
    const id = ruleId(3);
    expect(await plans.claim({ ...claimed, id, holder: 'n1' })).toBe(true);
    expect(await plans.holding(red.id)).toEqual({ id, holder: 'n1' });
    expect(await plans.takeBack({ id, holder: 'maker 3' })).toBe(false);
    expect(await plans.takeBack({ id, holder: 'n1' })).toBe(true);
    expect((await plans.find(id))?.status).toBe('interrupted');
    expect(await plans.keep({ id, holder: 'n1', leaseMs: 600_000, done: 0, failed: 0 })).toBe(false);
    expect(await plans.claim({ ...claimed, id, holder: 'n2', ...died })).toBe(true);
    expect(await plans.holding(red.id), 'its time is over').toBeUndefined();
  });

  it('takes only what is ready', async () => {
    const storage = fresh();
    const { plans } = storage;
    await plans.begin(planStart(1));
    expect(await plans.claim({ ...claimed, id: ruleId(1) })).toBe(false);
    await settle(storage, 1, { status: 'refused' });
    expect(await plans.claim({ ...claimed, id: ruleId(1) })).toBe(false);
    expect(await plans.claim({ ...claimed, id: ruleId(9) })).toBe(false);
  });

  it('takes what needs approval only with it, and is approved once', async () => {
    const storage = fresh();
    const { plans } = storage;
    await ready(storage, 1, { needsApproval: true });
    await ready(storage, 2);
    const approval = { by: '$eve', at: minute(30) };
    expect(await plans.claim({ ...claimed, id: ruleId(1) })).toBe(false);
    expect(await plans.approve({ id: ruleId(2), ...approval })).toBe(false);
    expect(await plans.approve({ id: ruleId(9), ...approval })).toBe(false);
    expect(await plans.approve({ id: ruleId(1), ...approval })).toBe(true);
    expect(await plans.approve({ id: ruleId(1), ...approval, by: 'mallory' })).toBe(false);
    expect(await plans.find(ruleId(1))).toMatchObject({ approvedBy: '$eve', approvedAt: minute(30) });
    expect(await plans.claim({ ...claimed, id: ruleId(1) })).toBe(true);
  });
}

function describeDiscarding(fresh: () => Storage): void {
  const discarded = { at: minute(40), message: 'eve discarded it' };

  it('discards what waits, is refused or was interrupted, and never applies it', async () => {
    const storage = fresh();
    const { plans } = storage;
    await ready(storage, 1, { needsApproval: true });
    await plans.begin(planStart(2));
    await settle(storage, 2, { status: 'refused' });
    await ready(storage, 3);
    await plans.claim({ ...claimed, id: ruleId(3) });
    const end = { id: ruleId(3), holder: claimed.holder, at: minute(30), done: 1, failed: 0, message: '' };
    await plans.finish({ ...end, status: 'interrupted' });
    for (const number of [1, 2, 3]) {
      expect(await plans.discard({ id: ruleId(number), ...discarded })).toBe(true);
      const { at, message } = discarded;
      expect(await plans.find(ruleId(number))).toMatchObject({ status: 'discarded', endedAt: at, message });
      expect(await plans.discard({ id: ruleId(number), ...discarded, message: 'again' })).toBe(false);
      expect(await plans.approve({ id: ruleId(number), by: 'eve', at: minute(41) })).toBe(false);
      expect(await plans.claim({ ...claimed, id: ruleId(number) })).toBe(false);
    }
    await ready(storage, 4);
    expect(await plans.claim({ ...claimed, id: ruleId(4) })).toBe(true);
  });

  it('discards nothing that somebody makes, holds or applies, or that has ended', async () => {
    const storage = fresh();
    const { plans } = storage;
    await plans.begin(planStart(1));
    expect(await plans.discard({ id: ruleId(1), ...discarded })).toBe(false);
    await plans.begin({ ...planStart(2), isExclusive: true });
    await settle(storage, 2);
    expect(await plans.discard({ id: ruleId(2), ...discarded })).toBe(false);
    await plans.claim({ ...claimed, id: ruleId(2) });
    expect(await plans.discard({ id: ruleId(2), ...discarded })).toBe(false);
    expect(await plans.find(ruleId(2))).toMatchObject({ status: 'applying', message: '' });
    const end = { id: ruleId(2), holder: claimed.holder, at: minute(30), done: 1, failed: 0, message: '' };
    await plans.finish({ ...end, status: 'done' });
    expect(await plans.discard({ id: ruleId(2), ...discarded })).toBe(false);
    expect(await plans.discard({ id: ruleId(9), ...discarded })).toBe(false);
    expect(await plans.find(ruleId(2))).toMatchObject({ status: 'done' });
  });
}

function describeRemoving(fresh: () => Storage): void {
  it('removes plans with their entries, but none that somebody makes or applies', async () => {
    const storage = fresh();
    const { plans } = storage;
    for (const number of [1, 2, 3, 4, 5]) {
      await plans.begin(planStart(number));
      await plans.append({ id: ruleId(number), entries: [planEntry(1), planEntry(2)], leaseMs: 600_000 });
      if (number > 1) await settle(storage, number);
    }
    await plans.claim({ ...claimed, id: ruleId(2) });
    expect(await plans.remove(ruleId(1))).toBe(false);
    expect(await plans.remove(ruleId(2))).toBe(false);
    expect(await plans.remove(ruleId(3))).toBe(true);
    expect(await plans.remove(ruleId(3))).toBe(false);
    expect(await plans.find(ruleId(3))).toBeUndefined();
    expect(await plans.entries({ id: ruleId(3), filter: {}, after: 0, limit: 9 })).toEqual([]);
    expect(await plans.prune(minute(5))).toBe(1);
    const left = await plans.list({ limit: 9, accounts: null });
    expect(left.map(({ id }) => id)).toEqual([5, 2, 1].map(ruleId));
    expect((await plans.entries({ id: ruleId(5), filter: {}, after: 0, limit: 9 })).length).toBe(2);
    // An id that was free again has none of the old entries.
    await plans.begin(planStart(3));
    expect(await plans.entries({ id: ruleId(3), filter: {}, after: 0, limit: 9 })).toEqual([]);
  });
}
