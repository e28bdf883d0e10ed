import { type GuardedCall, guarded } from './guard.ts';

/**
 * Reads a stream that a plugin returned. Each step is a guarded call: a stream that hangs or fails breaks off with an error that
 * names the plugin. The time that the reader takes for a step does not count. The plugin's iterator is always ended, however the
 * reading ends, without waiting for one that hangs.
 */
export async function* guardedStream<T>(call: GuardedCall, stream: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = await guarded(call, () => stream[Symbol.asyncIterator]());
  let over = false;
  try {
    while (!over) {
      const step = await nextStep(call, iterator).catch((error: unknown) => {
        over = true;
        void giveUp(iterator);
        throw error;
      });
      over = step === undefined;
      if (step !== undefined) yield step.value;
    }
  } finally {
    if (!over) await guarded(call, () => iterator.return?.());
  }
}

function nextStep<T>(call: GuardedCall, iterator: AsyncIterator<T>): Promise<{ readonly value: T } | undefined> {
  return guarded(call, async () => {
    const step = await iterator.next();
    return step.done === true ? undefined : { value: step.value };
  });
}

/** The end of a stream that hangs or failed comes late, never, or with an error that adds nothing. */
async function giveUp(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // Its fault is reported already.
  }
}
