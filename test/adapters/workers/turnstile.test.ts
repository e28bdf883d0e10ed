import { describe, expect, it } from 'vitest';
import { Turnstile } from '../../../src/adapters/workers/turnstile.ts';

function turnstile(options = {}): Turnstile {
  return new Turnstile({ capacity: 2, maxWaiting: 2, maxWaitingBytes: 100, ...options });
}

describe('Turnstile', () => {
  it('lets so many in and the others in the order in which they came', async () => {
    const gate = turnstile();
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
    const gate = turnstile({ capacity: 1 });
    const leave = await gate.enter(0, undefined);
    const waiting = [gate.enter(60, undefined)];
    await expect(gate.enter(60, undefined)).rejects.toEqual(busy);
    waiting.push(gate.enter(40, undefined));
    await expect(gate.enter(0, undefined)).rejects.toEqual(busy);
    leave();
    for (const entered of waiting) (await entered)();
    (await gate.enter(100, undefined))();
  });

  it('forgets who gave up waiting', async () => {
    const gate = turnstile({ capacity: 1, maxWaiting: 1 });
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
