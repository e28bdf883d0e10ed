import type { Timings } from '../../ports/index.ts';

/** Upper bounds of the classes that durations are counted in, seconds; what took longer counts to none. */
export const TIMING_BOUNDS = [0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5, 30] as const;

/** How long calls of one kind took. Plain data, so that threads can hand it over. */
export interface CallTiming {
  readonly part: string;
  readonly name: string;
  /** How many ended within each of the bounds and not within the one before; last those beyond all. */
  readonly classes: number[];
  seconds: number;
  failed: number;
}

/** Counts calls by how long they took. */
export class CallTimings implements Timings {
  #calls = new Map<string, CallTiming>();

  took(part: string, name: string, milliseconds: number, failed: boolean): void {
    const seconds = milliseconds / 1000;
    const timing = this.#of(part, name);
    const place = TIMING_BOUNDS.findIndex((bound) => seconds <= bound);
    const index = place === -1 ? TIMING_BOUNDS.length : place;
    timing.classes[index] = (timing.classes[index] ?? 0) + 1;
    timing.seconds += seconds;
    if (failed) timing.failed++;
  }

  list(): readonly CallTiming[] {
    return [...this.#calls.values()];
  }

  /** What was counted since the last call, for somebody else to add. */
  drain(): readonly CallTiming[] {
    const drained = this.list();
    this.#calls = new Map();
    return drained;
  }

  add(timings: readonly CallTiming[]): void {
    for (const { part, name, classes, seconds, failed } of timings) {
      const timing = this.#of(part, name);
      for (const [index, count] of classes.entries()) timing.classes[index] = (timing.classes[index] ?? 0) + count;
      timing.seconds += seconds;
      timing.failed += failed;
    }
  }

  #of(part: string, name: string): CallTiming {
    const key = `${part}.${name}`;
    const known = this.#calls.get(key);
    if (known !== undefined) return known;
    const classes = Array.from({ length: TIMING_BOUNDS.length + 1 }, () => 0);
    const timing: CallTiming = { part, name, classes, seconds: 0, failed: 0 };
    this.#calls.set(key, timing);
    return timing;
  }
}
