import { AppError } from '../../../ports/index.ts';

export interface BodyBudgetOptions {
  /** Memory that all bodies in flight may take together, and that those of one share may take. */
  readonly bytes: number;
  readonly bytesOfShare: number;
  /** How many bodies may be in flight at once, and how many of one share. No limit when absent. */
  readonly bodies?: number;
  readonly bodiesOfShare?: number;
}

/** The room that one body takes. */
export interface BodyPlace {
  /** Throws `unavailable` if there is no room for this number of further bytes. */
  take(bytes: number): void;
  /** Gives all of it back. Idempotent. */
  leave(): void;
}

interface Use {
  bytes: number;
  bodies: number;
}

/** Limits the memory of bodies in flight. A share is a user, or the address of a caller that is not known yet. */
export class BodyBudget {
  readonly #options: Required<BodyBudgetOptions>;
  readonly #all: Use = { bytes: 0, bodies: 0 };
  readonly #shares = new Map<string, Use>();

  constructor(options: BodyBudgetOptions) {
    this.#options = { bodies: Number.POSITIVE_INFINITY, bodiesOfShare: Number.POSITIVE_INFINITY, ...options };
  }

  /** Bytes of all bodies in flight. */
  get bytes(): number {
    return this.#all.bytes;
  }

  /** Throws `unavailable` when too many bodies are in flight. */
  enter(share: string): BodyPlace {
    const { bytes, bytesOfShare, bodies, bodiesOfShare } = this.#options;
    const all = this.#all;
    const own = this.#shares.get(share) ?? { bytes: 0, bodies: 0 };
    if (all.bodies >= bodies || own.bodies >= bodiesOfShare) throw tooMuch();
    this.#shares.set(share, own);
    all.bodies++;
    own.bodies++;
    let taken = 0;
    let isOpen = true;
    return {
      take: (more) => {
        if (all.bytes + more > bytes || own.bytes + more > bytesOfShare) throw tooMuch();
        taken += more;
        all.bytes += more;
        own.bytes += more;
      },
      leave: () => {
        if (!isOpen) return;
        isOpen = false;
        all.bytes -= taken;
        own.bytes -= taken;
        all.bodies--;
        own.bodies--;
        if (own.bodies === 0) this.#shares.delete(share);
      },
    };
  }
}

function tooMuch(): AppError {
  return new AppError('unavailable', 'too much is being sent at once; send it again in a moment, in smaller parts', {
    retryAfterSeconds: 2,
  });
}
