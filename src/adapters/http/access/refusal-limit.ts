import { LRUCache } from 'lru-cache';

export interface RefusalLimitOptions {
  /** Refusals in a window before an address is limited; 0 never limits. */
  readonly limit: number;
  readonly windowSeconds?: number;
}

interface Window {
  count: number;
  readonly endsAt: number;
}

const ADDRESSES = 10_000;
const MINUTE_MS = 60_000;
const ACCEPTED_FOR_MS = 60 * MINUTE_MS;
/** Past this many times the limit nobody gets in from the address, so that not even a neighbour's password can be guessed. */
const HARD_FACTOR = 10;

/**
 * Counts refused requests by client address; one for all entrances. While an address is over the limit its credentials are
 * not even looked at, with one exception: a user who got in from there within the last hour still does. A forgotten script with
 * an old password must not lock out everybody else behind the same address.
 */
export class RefusalLimit {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #windows = new LRUCache<string, Window>({ max: ADDRESSES });
  /** When a user last got in from an address, to the minute. */
  readonly #accepted = new LRUCache<string, number>({ max: ADDRESSES });
  readonly #now: () => number;

  /** `now` answers milliseconds that only grow. */
  constructor(options: RefusalLimitOptions, now: () => number = () => performance.now()) {
    this.#limit = options.limit;
    this.#windowMs = (options.windowSeconds ?? 60) * 1000;
    this.#now = now;
  }

  /** Seconds until the address may try again; `undefined` while it is under the limit. */
  retryAfterSeconds(address: string): number | undefined {
    const window = this.#windows.get(address);
    if (window === undefined || this.#limit === 0 || window.count < this.#limit) return undefined;
    const left = window.endsAt - this.#now();
    return left > 0 ? Math.ceil(left / 1000) : undefined;
  }

  /** Whether an address over the limit may still show this user's credentials. */
  admits(address: string, user: string): boolean {
    const count = this.#windows.get(address)?.count ?? 0;
    const at = this.#accepted.get(acceptedKey(address, user));
    return count < this.#limit * HARD_FACTOR && at !== undefined && at + ACCEPTED_FOR_MS > this.#now();
  }

  refused(address: string): void {
    const window = this.#windows.get(address);
    if (window !== undefined && window.endsAt > this.#now()) window.count++;
    else this.#windows.set(address, { count: 1, endsAt: this.#now() + this.#windowMs });
  }

  accepted(address: string, user: string): void {
    const key = acceptedKey(address, user);
    const at = this.#accepted.get(key);
    if (at === undefined || at + MINUTE_MS < this.#now()) this.#accepted.set(key, this.#now());
  }
}

function acceptedKey(address: string, user: string): string {
  return `${address} ${user}`;
}
