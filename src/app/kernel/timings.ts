import type { Timings } from '../../ports/index.ts';

/** Upper bounds of the classes that durations are counted in, seconds; what took longer counts to none. */
export const TIMING_BOUNDS = [0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5, 30] as const;

/** Durations of one kind. Plain data, so that threads can hand it over. */
export interface Durations {
  /** How many ended within each of the bounds and not within the one before; last those beyond all. */
  readonly classes: number[];
  seconds: number;
}

/** How long calls of one kind took. */
export interface CallTiming extends Durations {
  readonly part: string;
  readonly name: string;
  failed: number;
}

export function noDurations(bounds: readonly number[]): Durations {
  return { classes: Array.from({ length: bounds.length + 1 }, () => 0), seconds: 0 };
}

export function countDuration(durations: Durations, seconds: number, bounds: readonly number[]): void {
  const place = bounds.findIndex((bound) => seconds <= bound);
  const index = place === -1 ? bounds.length : place;
  durations.classes[index] = (durations.classes[index] ?? 0) + 1;
  durations.seconds += seconds;
}

/** Counts calls by how long they took. */
export class CallTimings implements Timings {
  /** By part and name: putting the two together for each call costs more than counting it. */
  #calls = new Map<string, Map<string, CallTiming>>();

  took(part: string, name: string, milliseconds: number, failed: boolean): void {
    const timing = this.#of(part, name);
    countDuration(timing, milliseconds / 1000, TIMING_BOUNDS);
    if (failed) timing.failed++;
  }

  list(): readonly CallTiming[] {
    return [...this.#calls.values()].flatMap((calls) => [...calls.values()]);
  }

  /** Returns what was counted since the last call, to be added elsewhere. */
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
    const calls = this.#calls.get(part) ?? new Map<string, CallTiming>();
    const known = calls.get(name);
    if (known !== undefined) return known;
    const timing: CallTiming = { part, name, ...noDurations(TIMING_BOUNDS), failed: 0 };
    this.#calls.set(part, calls.set(name, timing));
    return timing;
  }
}
