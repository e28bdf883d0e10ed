import { setImmediate as nextTurn } from 'node:timers/promises';
import { validUnicode } from '../../../kit/unicode.ts';
import type { Scratch } from '../../../ports/index.ts';
import { DiskRows, ROWS_A_STEP, type Row } from './disk-rows.ts';

/** The memory of several tables with the same keys: one place for each key, with what each table has there. */
export interface Places<Place> {
  readonly share: MemoryShare;
  readonly all: Map<string, Place>;
  empty(): Place;
}

/** Access to a table's value at a place. */
export interface Column<Place, Value> {
  of(place: Place): Value | undefined;
  set(place: Place, value: Value | undefined): void;
  /** Whether another table has the very value at the place, so that it takes no more memory. */
  shares?(place: Place, value: Value): boolean;
}

/**
 * A table of values by kind and key: in memory as long as there is room; after that, new values are written to disk. It holds the
 * given values themselves, so they must not be changed afterwards.
 */
export class Rows<Place, Value extends object | string> {
  readonly #places: Places<Place>;
  readonly #column: Column<Place, Value>;
  readonly #disk: DiskRows<Value>;
  /** Whether rows may be on the disk. */
  #isOver = false;
  /** Bytes that the values take in memory. */
  #bytes = 0;

  constructor(scratch: Scratch, name: string, places: Places<Place>, column: Column<Place, Value>) {
    this.#disk = new DiskRows(scratch, name);
    this.#places = places;
    this.#column = column;
  }

  put(rows: readonly Row<Value>[]): void {
    const beyond = rows.filter(([key, value]) => this.#keep(key, value, true) === undefined);
    if (beyond.length > 0) this.#disk.put(beyond.map(storedRow));
  }

  /** Whether each was put there: the first of its key is. */
  add(rows: readonly Row<Value>[]): readonly boolean[] {
    const kept = rows.map(([key, value]) => this.#keep(key, value, false));
    const beyond = rows.filter((_, index) => kept[index] === undefined);
    if (beyond.length === 0) return kept.map((isNew) => isNew === true);
    const added = this.#disk.add(beyond.map(storedRow));
    let next = 0;
    return kept.map((isNew) => isNew ?? added[next++] === true);
  }

  get(keys: readonly string[]): readonly (Value | undefined)[] {
    const found = keys.map((key) => this.#kept(key));
    if (!this.#isOver) return found;
    const missing = keys.filter((_, index) => found[index] === undefined);
    if (missing.length === 0) return found;
    const rest = this.#disk.get(missing.map(validUnicode));
    let next = 0;
    return found.map((value) => value ?? rest[next++]);
  }

  one(key: string): Value | undefined {
    return this.#kept(key) ?? (this.#isOver ? this.#disk.one(validUnicode(key)) : undefined);
  }

  remove(keys: readonly string[]): void {
    this.#forgetKept(keys);
    if (this.#isOver) this.#disk.remove(keys.map(validUnicode));
  }

  /** All, in any order, with a turn for everybody else after each step. Rows that are there may be put again meanwhile. */
  async *steps(): AsyncGenerator<readonly Row<Value>[]> {
    yield* this.#keptSteps(() => true);
    if (this.#isOver) yield* this.#disk.steps();
  }

  /** All, in order of the keys: for which they are put on the disk, which sorts as many as there are. */
  async *inOrder(): AsyncGenerator<readonly Row<Value>[]> {
    this.#isOver = true;
    for await (const step of this.#keptSteps(() => true)) {
      this.#disk.put(step);
      this.#forgetKept(step.map(([key]) => key));
    }
    yield* this.#disk.steps();
  }

  /** Forgets what is in memory and frees the room for other tables, if this one is not read any more. */
  async forget(): Promise<void> {
    for await (const step of this.#keptSteps(() => true)) this.#forgetKept(step.map(([key]) => key));
    this.#isOver = true;
    this.#places.share.giveBack(this.#bytes);
    this.#bytes = 0;
  }

  #forgetKept(keys: readonly string[]): void {
    for (const key of keys) {
      const place = this.#places.all.get(validUnicode(key));
      if (place !== undefined) this.#column.set(place, undefined);
    }
  }

  /** Those whose keys another table of these places does not have. */
  async *stepsWithout<Other extends object | string>(other: Rows<Place, Other>): AsyncGenerator<readonly Row<Value>[]> {
    for await (const step of this.#keptSteps((place) => other.#column.of(place) === undefined)) {
      const found = other.get(step.map(([key]) => key));
      const rows = step.filter((_, index) => found[index] === undefined);
      if (rows.length > 0) yield rows;
    }
    if (!this.#isOver) return;
    for await (const step of this.#disk.stepsWithout(other.#disk)) {
      const rows = step.filter(([key]) => other.#kept(key) === undefined);
      if (rows.length > 0) yield rows;
    }
  }

  #kept(key: string): Value | undefined {
    const place = this.#places.all.get(validUnicode(key));
    return place === undefined ? undefined : this.#column.of(place);
  }

  async *#keptSteps(isMeant: (place: Place) => boolean): AsyncGenerator<readonly Row<Value>[]> {
    let step: Row<Value>[] = [];
    let seen = 0;
    for (const [key, place] of this.#places.all) {
      const value = this.#column.of(place);
      if (value !== undefined && isMeant(place)) step.push([key, value]);
      if (++seen % PLACES_A_STEP > 0 && step.length < ROWS_A_STEP) continue;
      if (step.length > 0) yield step;
      step = [];
      await nextTurn();
    }
    if (step.length > 0) yield step;
  }

  /** Whether the row is new; `undefined` when there is no room for it in memory. */
  #keep(given: string, value: Value, isReplaced: boolean): boolean | undefined {
    const { all, share, empty } = this.#places;
    const key = validUnicode(given);
    const known = all.get(key);
    const isThere = known !== undefined && this.#column.of(known) !== undefined;
    if (isThere) {
      if (isReplaced) this.#column.set(known, value);
      return false;
    }
    // Values on disk stay there.
    const isShared = known !== undefined && this.#column.shares?.(known, value) === true;
    const bytes = this.#isOver || isShared ? 0 : sizeOf(value);
    if (this.#isOver || !share.take(bytes + (known === undefined ? sizeOfKey(key) : 0))) {
      this.#isOver = true;
      return undefined;
    }
    this.#bytes += bytes;
    const place = known ?? empty();
    this.#column.set(place, value);
    if (known === undefined) all.set(key, place);
    return true;
  }
}

/** Most of them are passed over. */
const PLACES_A_STEP = 2_000;

function storedRow<Value>([key, value]: Row<Value>): Row<Value> {
  return [validUnicode(key), value];
}

/** How much the tables of one plan may keep in memory together, in bytes. */
export class MemoryShare {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Takes room. False, and nothing is taken, when there is not enough any more. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}

/** About what a key takes in memory with the place that it has in a `Map`. */
function sizeOfKey(key: string): number {
  return PLACE_BYTES + key.length;
}

/** Bytes of a `Map` entry with a place, and of the key without its characters. */
const PLACE_BYTES = 120;
/** Bytes of a text without its characters. */
const TEXT_BYTES = 20;
/** Shorter ones are mostly the same ones again, and kept once. */
const OWN_TEXT_LENGTH = 11;
const OBJECT_BYTES = 32;
const MEMBER_BYTES = 8;

/** About what a value takes in memory. Longer texts that several values share count for each. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length < OWN_TEXT_LENGTH ? 0 : TEXT_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = OBJECT_BYTES;
  if (Array.isArray(value)) {
    for (const item of value) bytes += MEMBER_BYTES + sizeOf(item);
    return bytes;
  }
  for (const name in value) bytes += MEMBER_BYTES + sizeOf((value as Readonly<Record<string, unknown>>)[name]);
  return bytes;
}
