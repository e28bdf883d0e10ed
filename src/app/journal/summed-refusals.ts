import { addressClass } from '../kernel/address-class.ts';

export interface SummedRefusalsOptions {
  /** Reported one by one at once: of one source, and in all. A tenth of it is free again after each window, a quarter in all. */
  readonly reported?: number;
  readonly reportedInAll?: number;
  readonly windowMs?: number;
  /** Writes what else there was in a window, once for each source and thing. */
  write(sum: RefusalSum): void;
}

interface RefusalSum {
  /** The address class that they came from, or words for many. */
  readonly source: string;
  /** The refused operation, or words for many things. */
  readonly what: string;
  readonly count: number;
  readonly seconds: number;
}

const REPORTED = 200;
const REPORTED_IN_ALL = 400;
const WINDOW_MS = 60_000;
const MOST_SOURCES = 20;
const MOST_THINGS = 10;
const OTHER_SOURCES = 'other addresses';
const OTHER_THINGS = 'other things';

/**
 * Refusals of unknown callers, who can cause any number. The first ones are reported one by one, the others of the same minute as
 * a sum by source and thing. If they continue, few are reported each minute: nothing is lost, and the volume is always bounded.
 */
export class SummedRefusals {
  readonly #options: Required<SummedRefusalsOptions>;
  readonly #reported = new Map<string, number>();
  readonly #sums = new Map<string, Map<string, number>>();
  #reportedInAll = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SummedRefusalsOptions) {
    this.#options = { reported: REPORTED, reportedInAll: REPORTED_IN_ALL, windowMs: WINDOW_MS, ...options };
  }

  /** True if this one is to be reported by itself. Otherwise it is counted, and reported in a sum. */
  reports(address: string, what: string): boolean {
    this.#timer ??= this.#later();
    const source = addressClass(address);
    const reported = this.#reported.get(source) ?? 0;
    if (reported < this.#options.reported && this.#reportedInAll < this.#options.reportedInAll) {
      this.#reported.set(source, reported + 1);
      this.#reportedInAll++;
      return true;
    }
    const sums = memberOf(this.#sums, source, { most: MOST_SOURCES, others: OTHER_SOURCES, make: () => new Map() });
    const thing = sums.has(what) || sums.size < MOST_THINGS ? what : OTHER_THINGS;
    sums.set(thing, (sums.get(thing) ?? 0) + 1);
    return false;
  }

  /** Writes the sums, and frees a part of the allowance for single reports. */
  flush(): void {
    clearTimeout(this.#timer);
    const seconds = Math.round(this.#options.windowMs / 1000);
    for (const [source, sums] of this.#sums) {
      for (const [what, count] of sums) this.#options.write({ source, what, count, seconds });
    }
    this.#sums.clear();
    for (const [source, reported] of this.#reported) {
      const left = reported - Math.ceil(this.#options.reported / 10);
      if (left > 0) this.#reported.set(source, left);
      else this.#reported.delete(source);
    }
    this.#reportedInAll = Math.max(0, this.#reportedInAll - Math.ceil(this.#options.reportedInAll / 4));
    this.#timer = this.#reported.size === 0 && this.#reportedInAll === 0 ? undefined : this.#later();
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => this.flush(), this.#options.windowMs).unref();
  }
}

function memberOf<T>(
  members: Map<string, T>,
  key: string,
  { most, others, make }: { readonly most: number; readonly others: string; make(): T },
): T {
  const known = members.get(key);
  if (known !== undefined) return known;
  const name = members.size < most ? key : others;
  const member = members.get(name) ?? make();
  members.set(name, member);
  return member;
}
