import { onAbort } from '../on-abort.ts';

/** A token and its lifetime in seconds; `undefined` if the server did not state one. */
export interface IssuedToken {
  readonly token: string;
  readonly seconds: number | undefined;
}

/** A token is not used in the last minute of its life, or the last tenth of a short one: a request takes a while to get there. */
const MARGIN_SECONDS = 60;
const MARGIN_PART = 0.1;

/** Keeps one access token and fetches it once, however many requests wait for it. */
export class TokenKeeper {
  readonly #fetch: () => Promise<IssuedToken>;
  readonly #now: () => number;
  #known: { readonly token: string; readonly until: number } | undefined;
  #coming: Promise<string> | undefined;

  /** `fetch` has its own time limit: a caller who gives up waiting does not end it for the others. */
  constructor(fetch: () => Promise<IssuedToken>, now: () => number) {
    this.#fetch = fetch;
    this.#now = now;
  }

  async token(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    if (this.#known !== undefined && this.#now() < this.#known.until) return this.#known.token;
    this.#coming ??= this.#renew().finally(() => {
      this.#coming = undefined;
    });
    return untilAborted(this.#coming, signal);
  }

  /** The one that is kept, if there is one. */
  get known(): string | undefined {
    return this.#known?.token;
  }

  /** Drops a refused token. A newer one fetched in the meantime stays. */
  forget(token: string): void {
    if (this.#known?.token === token) this.#known = undefined;
  }

  async #renew(): Promise<string> {
    const asked = this.#now();
    const { token, seconds } = await this.#fetch();
    const life =
      seconds === undefined ? Number.POSITIVE_INFINITY : seconds - Math.min(MARGIN_SECONDS, seconds * MARGIN_PART);
    this.#known = { token, until: asked + life * 1000 };
    return token;
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(leave);
  });
}
