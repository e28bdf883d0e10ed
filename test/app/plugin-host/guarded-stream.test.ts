import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { guardedStream } from '../../../src/app/kernel/plugin-host/guarded-stream.ts';

const CALL = { pluginId: 'racks', what: 'inventory provider racks', timeoutSeconds: 0.05 };

/** A stream of numbers whose step of that index never comes, and what was done to it. */
function hangingStream(hangsAt: number): AsyncIterable<number> & { ended: number } {
  let index = 0;
  const stream = {
    ended: 0,
    [Symbol.asyncIterator]: () => ({
      next: (): Promise<IteratorResult<number>> =>
        index === hangsAt ? new Promise(() => undefined) : Promise.resolve({ done: false, value: index++ }),
      return: (): Promise<IteratorResult<number>> => {
        stream.ended++;
        return new Promise(() => undefined);
      },
    }),
  };
  return stream;
}

async function* counting(count: number, onEnd: () => void = () => undefined): AsyncGenerator<number> {
  try {
    for (let index = 0; index < count; index++) yield index;
  } finally {
    onEnd();
  }
}

describe('a stream of a plugin', () => {
  it('that hangs breaks off after what it gave, names the plugin and is ended without waiting for it', async () => {
    const stream = hangingStream(2);
    const seen: number[] = [];
    const reading = (async () => {
      for await (const value of guardedStream(CALL, stream)) seen.push(value);
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'failed',
      message: 'plugin racks: inventory provider racks took longer than 0.05 seconds',
    });
    expect(seen).toEqual([0, 1]);
    expect(stream.ended).toBe(1);
  });

  it('does not hang because its reader is slow', async () => {
    const seen: number[] = [];
    for await (const value of guardedStream(CALL, counting(3))) {
      await sleep(CALL.timeoutSeconds * 1000 * 2);
      seen.push(value);
    }
    expect(seen).toEqual([0, 1, 2]);
  });

  it('that hangs is left when the caller goes away', async () => {
    const controller = new AbortController();
    const stream = hangingStream(0);
    const call = { ...CALL, timeoutSeconds: 1000, signal: controller.signal };
    const next = guardedStream(call, stream).next();
    setTimeout(() => controller.abort(), 1);
    await expect(next).rejects.toMatchObject({ code: 'cancelled' });
    expect(stream.ended).toBe(1);
  });

  it('that fails names the plugin', async () => {
    async function* broken(): AsyncGenerator<number> {
      yield 0;
      throw new Error('no route to host');
    }
    const stream = guardedStream(CALL, broken());
    await stream.next();
    await expect(stream.next()).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringMatching(/^plugin racks: /),
    });
  });

  it('is ended when its reader has enough', async () => {
    let ended = 0;
    for await (const value of guardedStream(
      CALL,
      counting(5, () => ended++),
    )) {
      if (value === 1) break;
    }
    expect(ended).toBe(1);
  });
});
