import type { PlanCounts } from '../../../ports/index.ts';

type Counted = keyof PlanCounts;

/** A record, or an object, that something went wrong with. */
export interface Named {
  readonly hostname: string;
  readonly reason: string;
}

/** So many are named; the counts are always complete. */
const MAX_NAMED = 1_000;
const MAX_REASON_LENGTH = 1_000;

/** Counts while a plan is made. */
export class PlanTally {
  /** Records that the rules let through. */
  records = 0;
  /** Records that nobody knows what they want. */
  failed = 0;
  readonly named: Named[] = [];
  readonly #counts: Record<Counted, number> = {
    create: 0,
    update: 0,
    move: 0,
    delete: 0,
    adopt: 0,
    conflict: 0,
    unchanged: 0,
    kept: 0,
  };

  count(what: Counted, by = 1): void {
    this.#counts[what] += by;
  }

  failure(hostname: string, reason: string): void {
    this.failed++;
    this.note(hostname, reason);
  }

  note(hostname: string, reason: string): void {
    if (this.named.length >= MAX_NAMED) return;
    const cut = reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH)}…` : reason;
    this.named.push({ hostname, reason: cut });
  }

  get counts(): PlanCounts {
    return { ...this.#counts };
  }

  /** How many objects there are ours now. */
  get owned(): number {
    const { unchanged, update, move, delete: deleted, kept } = this.#counts;
    return unchanged + update + move + deleted + kept;
  }
}
