import type { LabelScalar } from '../../../ports/index.ts';
import { naturalOrder } from './natural-order.ts';

/** The place of a host among the others: by a value, then by name. */
export interface SortPlace {
  readonly value: LabelScalar | undefined;
  readonly hostname: string;
}

/** The length of a text that decides its place: places are kept for many hosts, and returned as the position to continue from. */
const LONGEST_TEXT = 200;

/** The place of a host by its value. Texts with the same beginning of that length are sorted by the names of their hosts. */
export function sortPlace(hostname: string, value: LabelScalar | undefined): SortPlace {
  if (typeof value !== 'string' || value.length <= LONGEST_TEXT) return { hostname, value };
  // A part of a text keeps all of it in memory; what is parsed is a text of its own.
  return { hostname, value: JSON.parse(JSON.stringify(value.slice(0, LONGEST_TEXT))) as string };
}

/** In the order in which people count; hosts without a value are last either way. */
export function comparePlaces(descending: boolean): (left: SortPlace, right: SortPlace) => number {
  return (left, right) => {
    const order = compareValues(left.value, right.value, descending);
    if (order !== 0) return order;
    return left.hostname < right.hostname ? -1 : left.hostname > right.hostname ? 1 : 0;
  };
}

function compareValues(left: LabelScalar | undefined, right: LabelScalar | undefined, descending: boolean): number {
  const [isLeft, isRight] = [hasValue(left), hasValue(right)];
  if (!isLeft || !isRight) return Number(isRight) - Number(isLeft);
  const order =
    typeof left === 'number' && typeof right === 'number'
      ? left - right
      : naturalOrder.compare(String(left), String(right));
  return descending ? -order : order;
}

function hasValue(value: LabelScalar | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** The first of any number of places, of which it holds no more than the limit. */
export class FirstPlaces {
  readonly #compare: (left: SortPlace, right: SortPlace) => number;
  readonly #limit: number;
  #places: SortPlace[] = [];

  constructor(limit: number, compare: (left: SortPlace, right: SortPlace) => number) {
    this.#compare = compare;
    this.#limit = limit;
  }

  add(places: readonly SortPlace[]): void {
    const last = this.#places.length < this.#limit ? undefined : this.#places.at(-1);
    const better = last === undefined ? places : places.filter((place) => this.#compare(place, last) < 0);
    if (better.length === 0) return;
    this.#places = [...this.#places, ...better].sort(this.#compare).slice(0, this.#limit);
  }

  /** In their order. */
  get places(): readonly SortPlace[] {
    return this.#places;
  }
}
