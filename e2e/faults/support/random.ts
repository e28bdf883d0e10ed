import { randomInt } from 'node:crypto';

/** Numbers that are the same for the same seed, so that a failure can be repeated as far as time allows. */
export interface Random {
  readonly seed: number;
  /** A whole number from 0 up to but not including `end`. */
  below(end: number): number;
  one<T>(of: readonly T[]): T;
}

/** With the seed that `FAULTS_SEED` gives, else one by chance. It is printed. */
export function seededRandom(): Random {
  const seed = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31));
  console.log(`FAULTS_SEED=${seed}`);
  let state = seed;
  // Mulberry32: short, and random enough to choose moments by.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (end: number): number => Math.floor(next() * end);
  return { seed, below, one: (of) => of[below(of.length)] as (typeof of)[number] };
}
