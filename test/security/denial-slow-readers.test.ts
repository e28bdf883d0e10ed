import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forReader } from '../../src/adapters/listener/stalled-readers.ts';

/** Readers who take a little now and then, to keep the place of an answer that is being made, beside those on a slow line. */

const PATIENCE_SECONDS = 30;
const PIECE = 'x'.repeat(65_536);

async function* answer(pieces: number, piece: string) {
  for (let count = 0; count < pieces; count++) yield piece;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Takes a part every so many seconds; answers after how many of them in all the reader was given up, or how much was read. */
async function read(
  pieces: AsyncIterable<string>,
  everySeconds: number,
): Promise<{ bytes: number; givenUpAt?: number }> {
  let seconds = 0;
  let givenUpAt: number | undefined;
  let bytes = 0;
  const parts = forReader(pieces, PATIENCE_SECONDS, () => {
    givenUpAt ??= seconds;
  });
  for await (const part of parts) {
    bytes += part.length;
    seconds += everySeconds;
    vi.advanceTimersByTime(everySeconds * 1_000);
    if (givenUpAt !== undefined) return { bytes, givenUpAt };
  }
  return { bytes };
}

describe('a reader of an answer that is being made', () => {
  it('who takes a piece just before he would be given up is given up', async () => {
    const { givenUpAt } = await read(answer(1_000, PIECE), PATIENCE_SECONDS - 1);
    expect(givenUpAt).toBeLessThan(3 * PATIENCE_SECONDS);
  });

  it('who takes small pieces all the time is given up', async () => {
    const { givenUpAt } = await read(answer(100_000, 'x'.repeat(100)), 1);
    expect(givenUpAt).toBeLessThan(2 * PATIENCE_SECONDS);
  });

  it('who takes nothing is given up', async () => {
    expect(await read(answer(2, PIECE), PATIENCE_SECONDS)).toEqual({ bytes: 65_536, givenUpAt: PATIENCE_SECONDS });
  });

  it('on a line of 64 KiB a second gets five megabytes', async () => {
    expect(await read(answer(80, PIECE), 1)).toEqual({ bytes: 80 * 65_536 });
  });

  it('on such a line gets a single piece of five megabytes, to the letter', async () => {
    const piece = 'ä€😀x'.repeat(500_000);
    expect(await read(answer(1, piece), 1)).toEqual({ bytes: Buffer.byteLength(piece) });
  });

  it('may pause, and go on', async () => {
    async function* slowly() {
      for await (const piece of answer(40, PIECE)) yield piece;
      vi.advanceTimersByTime(10 * PATIENCE_SECONDS * 1_000);
      yield PIECE;
    }
    expect(await read(slowly(), 7)).toEqual({ bytes: 41 * 65_536 });
  });
});
