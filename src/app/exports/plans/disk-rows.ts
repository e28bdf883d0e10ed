import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Scratch, ScratchTable } from '../../../ports/index.ts';

/** Number of rows in one step: few enough to not make others wait. */
export const ROWS_A_STEP = 250;

export type Row<Value> = readonly [key: string, value: Value];

/** A table of values by kind and key, or by other texts that are joined, on the disk. */
export class DiskRows<Value> {
  readonly #name: string;
  readonly #table: ScratchTable;

  constructor(scratch: Scratch, name: string) {
    this.#name = name;
    this.#table = scratch.table(name);
  }

  put(rows: readonly Row<Value>[]): void {
    this.#table.put(rows.map(([key, value]) => [key, JSON.stringify(value)]));
  }

  /** Whether each was put there: the first of its key is. */
  add(rows: readonly Row<Value>[]): readonly boolean[] {
    return this.#table.add(rows.map(([key, value]) => [key, JSON.stringify(value)]));
  }

  get(keys: readonly string[]): readonly (Value | undefined)[] {
    return this.#table.get(keys).map((text) => (text === undefined ? undefined : (JSON.parse(text) as Value)));
  }

  one(key: string): Value | undefined {
    return this.get([key])[0];
  }

  remove(keys: readonly string[]): void {
    this.#table.remove(keys);
  }

  /** The first of those that begin so. */
  some(prefix: string, limit: number): readonly Row<Value>[] {
    return this.#table.page({ prefix, limit }).map(([key, text]) => [key, JSON.parse(text) as Value]);
  }

  get count(): number {
    return this.#table.count();
  }

  /** All, in order of the keys, with a turn for everybody else after each step. */
  async *steps(): AsyncGenerator<readonly Row<Value>[]> {
    for (let after = ''; ; ) {
      const rows = this.#table.page({ after, limit: ROWS_A_STEP });
      if (rows.length === 0) return;
      yield rows.map(([key, text]) => [key, JSON.parse(text) as Value]);
      after = rows.at(-1)?.[0] ?? after;
      await nextTurn();
    }
  }

  /** Those whose keys another table does not have; the others are not even taken apart. */
  async *stepsWithout(other: DiskRows<unknown>): AsyncGenerator<readonly Row<Value>[]> {
    for (let after = ''; ; ) {
      const { rows, last } = this.#table.pageWithout(other.#name, { after, limit: ROWS_A_STEP });
      if (last === undefined) return;
      if (rows.length > 0) yield rows.map(([key, text]) => [key, JSON.parse(text) as Value]);
      after = last;
      await nextTurn();
    }
  }
}
