import { AppError, type ReadContext, type SourceItem, type Wording } from '../../ports/index.ts';

/** Readers of a source treat a long silence as a plugin that hangs; this is well below the configured limit. */
const SILENCE_MS = 2000;

/**
 * Reads, and yields an empty batch after every period of silence: a server that is busy with a query is not a fault, and its time
 * limit is a setting of the account. The signal passed to `read` aborts as soon as the consumer stops reading.
 */
export async function* withSignsOfLife(
  read: (context: ReadContext) => AsyncIterable<readonly SourceItem[]>,
  context: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, over.signal]);
  const iterator = read({ ...context, signal })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      next.catch(() => undefined);
      while (!(await settles(next, SILENCE_MS))) yield [];
      const step = await next;
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    over.abort(new AppError('cancelled', 'the reader stopped'));
    await iterator.return?.(undefined).catch(() => undefined);
  }
}

/** Whether it is settled by then, in whatever way. */
export async function settles(promise: Promise<unknown>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, silence]);
  } finally {
    clearTimeout(timer);
  }
}

export interface Limits {
  readonly signal: AbortSignal;
  readonly seconds: number;
  /** The error message on timeout. */
  readonly message: string | Wording;
}

/**
 * Resolves to the result of the work, unless it takes too long or is cancelled. The work itself keeps running: the caller must
 * end it.
 */
export async function within<T>(work: Promise<T>, { signal, seconds, message }: Limits): Promise<T> {
  work.catch(() => undefined);
  signal.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let stop = (): void => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new AppError('unavailable', message)), seconds * 1000);
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    ended.catch(() => undefined);
  }
}
