import { counted } from '../../kit/words/amounts.ts';
import { secondsOf } from '../../kit/words/moment.ts';
import { AppError, type Clock, type Logger } from '../../ports/index.ts';

/** Corrections of the clock are a matter of seconds, and no decision depends on an hour of age. */
const JUMP_MS = 60 * 60 * 1000;
/** By then all sources have reported their hosts under the new time, and an operator has read the log. */
const HELD_MS = 24 * 60 * 60 * 1000;

export interface ClockWatchDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds since an arbitrary moment, from a clock that cannot be set. */
  readonly elapsed: () => number;
}

interface Jump {
  readonly at: Date;
  readonly byMs: number;
  /** How far the clock was from what elapses before it. */
  readonly before: number;
  readonly endsAt: number;
}

/**
 * Notices that the clock was set forward: what is old by it may have been seen a moment ago, so for a day nothing is archived or
 * deleted by age. A process knows the time since its own start alone.
 */
export class ClockWatch {
  readonly #deps: ClockWatchDeps;
  #offset: number;
  #jump: Jump | undefined;

  constructor(deps: ClockWatchDeps) {
    this.#deps = deps;
    this.#offset = this.#now();
  }

  /** To be called more often than once an hour, so that a clock that only runs too fast is not taken for one that was set. */
  look(): void {
    const { clock, logger, elapsed } = this.#deps;
    const offset = this.#now();
    const byMs = offset - this.#offset;
    if (byMs >= JUMP_MS) {
      const before = this.#jump?.before ?? this.#offset;
      this.#jump = { at: clock.now(), byMs, before, endsAt: elapsed() + HELD_MS };
      logger.warn('the clock was set forward; nothing is archived or deleted by age for a day', { byMs });
    }
    this.#offset = offset;
    if (this.#jump === undefined) return;
    if (elapsed() >= this.#jump.endsAt || offset - this.#jump.before < JUMP_MS) this.#jump = undefined;
  }

  /** Throws `unavailable` while ages cannot be trusted. */
  requireTrust(): void {
    this.look();
    if (this.#jump === undefined) return;
    const { at, byMs, endsAt } = this.#jump;
    const left = endsAt - this.#deps.elapsed();
    throw new AppError(
      'unavailable',
      `the clock of the service was set forward by ${counted(Math.round(byMs / JUMP_MS), 'hour')} to ${secondsOf(at)}, so ages cannot be trusted and nothing was archived or deleted by age; correct it, or restart the service if it is right; otherwise this continues by itself in ${counted(Math.ceil(left / JUMP_MS), 'hour')}`,
      { retryAfterSeconds: Math.ceil(left / 1000) },
    );
  }

  #now(): number {
    return this.#deps.clock.now().getTime() - this.#deps.elapsed();
  }
}
