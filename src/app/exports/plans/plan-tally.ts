import { type ExportFailure, MAX_REPORTED_HOSTS, shortReason } from '../../../kit/summaries/export-summary.ts';
import { NO_PLAN_COUNTS, type PlanCounts } from '../../../ports/index.ts';

type Counted = keyof PlanCounts;

/** Counts while a plan is made. */
export class PlanTally {
  /** Records that the rules let through. */
  records = 0;
  /** Records that nobody knows what they want. */
  failed = 0;
  /** Records, or objects, that something went wrong with. */
  readonly named: ExportFailure[] = [];
  readonly #counts: Record<Counted, number> = { ...NO_PLAN_COUNTS };

  count(what: Counted, by = 1): void {
    this.#counts[what] += by;
  }

  failure(hostname: string, reason: string): void {
    this.failed++;
    this.note(hostname, reason);
  }

  note(hostname: string, reason: string): void {
    if (this.named.length < MAX_REPORTED_HOSTS) this.named.push({ hostname, reason: shortReason(reason) });
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
