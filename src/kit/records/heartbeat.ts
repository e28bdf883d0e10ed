const HEARTBEAT_MS = 1_000;

/**
 * Yields an empty batch after each second without a batch: a request may take minutes with all its retries, and readers of a
 * source give up on one that is silent for long.
 */
export async function* withBeats<T>(
  batches: AsyncGenerator<readonly T[], void, undefined>,
): AsyncGenerator<readonly T[], void, undefined> {
  let step = batches.next();
  try {
    for (;;) {
      const found = await settledWithin(step);
      if (found === undefined) yield [];
      else if (found.done === true) return;
      else {
        yield found.value;
        step = batches.next();
      }
    }
  } finally {
    step.catch(() => undefined);
    await batches.return().catch(() => undefined);
  }
}

async function settledWithin<T>(step: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const heartbeat = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), HEARTBEAT_MS);
  });
  try {
    return await Promise.race([step, heartbeat]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks for the next one while the last is worked on. */
export async function* ahead<T>(items: AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
  let step = items.next();
  try {
    for (;;) {
      const found = await step;
      if (found.done === true) return;
      step = items.next();
      yield found.value;
    }
  } finally {
    step.catch(() => undefined);
    await items.return().catch(() => undefined);
  }
}
