/** Settings for keeping a lease while work runs. */
export interface LeaseSettings {
  /** How often it is looked whether to renew the lease, milliseconds. */
  readonly everyMs: number;
  /** Whether to renew it now, given the time since the last renewal; absent: always. */
  isDue?(sinceMs: number): boolean;
  /** Renews it. Answers false where the work must end: someone else has the lease by now, or it was cancelled. */
  renew(): Promise<boolean>;
  /** Gets the error of each renewal that fails. */
  failed(error: unknown): void;
  /** When the lease was claimed, as `performance.now()`; absent: now. */
  readonly claimedAt?: number;
  /**
   * How long the work may continue without a renewal, in milliseconds, whether the store refuses or hangs: after that, someone
   * else may have begun the same. Absent: it continues.
   */
  readonly endsAfterMs?: number;
  /** The reason of the signal then. */
  readonly endReason?: Error;
}

export interface HeldLease {
  /** Aborts when the work must end. */
  readonly signal: AbortSignal;
  /** Renews it no more; resolves when no renewal is under way. */
  stop(): Promise<void>;
}

/** Renews a lease, one renewal at a time, until it is stopped. */
export function holdLease(settings: LeaseSettings): HeldLease {
  const { everyMs, isDue, renew, failed, claimedAt, endsAfterMs = Number.POSITIVE_INFINITY, endReason } = settings;
  const controller = new AbortController();
  let keptAt = claimedAt ?? performance.now();
  let renewing: Promise<void> | undefined;
  let ending: NodeJS.Timeout | undefined;
  let isStopped = false;

  /** To the moment: others may begin the same right after it. */
  function endInTime(): void {
    clearTimeout(ending);
    if (!Number.isFinite(endsAfterMs)) return;
    ending = setTimeout(() => controller.abort(endReason), keptAt + endsAfterMs - performance.now());
  }

  async function renewOnce(): Promise<void> {
    const askedAt = performance.now();
    try {
      if (await renew()) {
        keptAt = askedAt;
        if (!isStopped) endInTime();
      } else controller.abort();
    } catch (error) {
      failed(error);
    }
  }

  const timer = setInterval(() => {
    const since = performance.now() - keptAt;
    if (renewing !== undefined || isDue?.(since) === false) return;
    renewing = renewOnce().finally(() => {
      renewing = undefined;
    });
  }, everyMs);
  endInTime();
  return {
    signal: controller.signal,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      clearTimeout(ending);
      await renewing;
    },
  };
}
