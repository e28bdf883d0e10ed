import { describe, expect, it } from 'vitest';
import { FairQueue, type FairQueueOptions } from '../../../src/adapters/workers/fair-queue.ts';

/** A queue with room for two, and how one user goes through it. */
function queue(options: Partial<FairQueueOptions> = {}) {
  const limits = { capacity: 2, maxWaiting: 2, maxWaitingBytes: 100, maxInsideBytes: 100, share: 1, ...options };
  const shared = new FairQueue(limits);
  return {
    enter: (bytes: number, signal: AbortSignal | undefined) => shared.enter('one', bytes, signal),
    enterAs: (user: string, bytes = 0) => shared.enter(user, bytes, undefined),
  };
}

describe('FairQueue', () => {
  it('lets so many in and the others in the order in which they came', async () => {
    const gate = queue();
    const order: number[] = [];
    const [first] = await Promise.all([gate.enter(0, undefined), gate.enter(0, undefined)]);
    const third = gate.enter(0, undefined).then((leave) => {
      order.push(3);
      return leave;
    });
    const fourth = gate.enter(0, undefined).then(() => order.push(4));
    expect(order).toEqual([]);
    first();
    first();
    (await third)();
    await fourth;
    expect(order).toEqual([3, 4]);
  });

  it('refuses when too many wait, or when they hold too much', async () => {
    const busy = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 2 });
    const gate = queue({ capacity: 1 });
    const leave = await gate.enter(0, undefined);
    const waiting = [gate.enter(60, undefined)];
    await expect(gate.enter(60, undefined)).rejects.toEqual(busy);
    waiting.push(gate.enter(40, undefined));
    await expect(gate.enter(0, undefined)).rejects.toEqual(busy);
    leave();
    for (const entered of waiting) (await entered)();
    (await gate.enter(100, undefined))();
  });

  it('lets users take turns, however many calls of one wait', async () => {
    const gate = queue({ capacity: 1, maxWaiting: 10 });
    const leave = await gate.enterAs('flood');
    const order: string[] = [];
    const calls = ['flood', 'flood', 'flood', 'other'].map(async (user) => {
      const out = await gate.enterAs(user);
      order.push(user);
      out();
    });
    leave();
    await Promise.all(calls);
    expect(order.indexOf('other')).toBeLessThan(2);
  });

  it('keeps room for others, inside and in the line', async () => {
    const gate = queue({ capacity: 4, maxWaiting: 4, share: 0.5 });
    const inside = await Promise.all([gate.enterAs('flood'), gate.enterAs('flood')]);
    const waiting = [gate.enterAs('flood'), gate.enterAs('flood')];
    await expect(gate.enterAs('flood')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    const others = await Promise.all([gate.enterAs('other'), gate.enterAs('another')]);
    const third = gate.enterAs('third');
    for (const leave of [...inside, ...others]) leave();
    for (const entered of [...waiting, third]) (await entered)();
  });

  it('bounds what those inside hold together, and lets one alone in whatever it holds', async () => {
    const gate = queue({ maxInsideBytes: 50 });
    const leave = await gate.enterAs('one', 80);
    let isIn = false;
    const next = gate.enterAs('other', 1).then((out) => {
      isIn = true;
      return out;
    });
    await new Promise(setImmediate);
    expect(isIn).toBe(false);
    leave();
    (await next)();
  });

  it('forgets who gave up waiting', async () => {
    const gate = queue({ capacity: 1, maxWaiting: 1 });
    const leave = await gate.enter(0, undefined);
    const giveUp = new AbortController();
    const waiting = gate.enter(0, giveUp.signal);
    giveUp.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    await expect(gate.enter(0, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    const next = gate.enter(0, undefined);
    leave();
    (await next)();
  });
});
