import { counted } from '../../kit/words/amounts.ts';
import { onAbort } from './on-abort.ts';

/** The time for a whole request is over. */
export class TimeIsOver extends Error {
  override readonly name = 'TimeIsOver';
  readonly seconds: number;

  constructor(seconds: number) {
    super(`not done after ${counted(seconds, 'second')}`);
    this.seconds = seconds;
  }
}

/**
 * A signal that aborts with another one, or when the time is over. `AbortSignal.any` would keep memory for every request on the
 * signal of a run that has thousands of them.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #leave: () => void;

  constructor(outer: AbortSignal, seconds: number) {
    this.#timer = setTimeout(() => this.#controller.abort(new TimeIsOver(seconds)), seconds * 1000);
    this.#timer.unref();
    const passOn = (): void => this.#controller.abort(outer.reason);
    this.#leave = onAbort(outer, passOn);
    if (outer.aborted) passOn();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  done(): void {
    clearTimeout(this.#timer);
    this.#leave();
  }
}
