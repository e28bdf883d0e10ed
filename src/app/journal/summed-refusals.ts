import { addressClass } from '../kernel/address-class.ts';

export interface SummedRefusalsOptions {
  /** Told one by one at once: of one source, and in all. A tenth of it is free again after each window, a quarter in all. */
  readonly told?: number;
  readonly toldInAll?: number;
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

const TOLD = 200;
const TOLD_IN_ALL = 400;
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
  readonly #told = new Map<string, number>();
  readonly #sums = new Map<string, Map<string, number>>();
  #toldInAll = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SummedRefusalsOptions) {
    this.#options = { told: TOLD, toldInAll: TOLD_IN_ALL, windowMs: WINDOW_MS, ...options };
  }

  /** True if this one is to be reported by itself. Otherwise it is counted, and reported in a sum. */
  tells(address: string, what: string): boolean {
    this.#timer ??= this.#later();
    const source = addressClass(address);
    const told = this.#told.get(source) ?? 0;
    if (told < this.#options.told && this.#toldInAll < this.#options.toldInAll) {
      this.#told.set(source, told + 1);
      this.#toldInAll++;
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
    for (const [source, told] of this.#told) {
      const left = told - Math.ceil(this.#options.told / 10);
      if (left > 0) this.#told.set(source, left);
      else this.#told.delete(source);
    }
    this.#toldInAll = Math.max(0, this.#toldInAll - Math.ceil(this.#options.toldInAll / 4));
    this.#timer = this.#told.size === 0 && this.#toldInAll === 0 ? undefined : this.#later();
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
