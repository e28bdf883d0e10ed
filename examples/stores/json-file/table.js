import { compareUtf8 } from 'muster/storage-api';

/** Values by key, in byte order of the keys. Values are JSON, and never changed but replaced. */
export class Table {
  #values;
  #keys;

  /** @param {Map<string, any>} [values] @param {string[]} [keys] in order */
  constructor(values = new Map(), keys = []) {
    this.#values = values;
    this.#keys = keys;
  }

  /** @param {string} key */
  get(key) {
    return this.#values.get(key);
  }

  /** @param {string} key @param {unknown} value `undefined` removes it */
  set(key, value) {
    const isThere = this.#values.has(key);
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
    if (isThere && value === undefined) this.#keys.splice(this.#placeOf(key), 1);
    if (!isThere && value !== undefined) this.#keys.splice(this.#placeOf(key), 0, key);
  }

  /** The keys of a range, as they are now. @param {import('muster/plugin-api').TextRange} range */
  keys({ from = '', after, before } = {}) {
    const first = Math.max(this.#placeOf(from), after === undefined ? 0 : this.#placeOf(after, true));
    return this.#keys.slice(first, before === undefined ? undefined : this.#placeOf(before));
  }

  /** @param {import('muster/plugin-api').TextRange} [range] */
  values(range) {
    return this.keys(range).map((key) => this.#values.get(key));
  }

  /** The values whose keys begin with these parts, see `transferKey`. @param {...string} parts */
  under(...parts) {
    const begin = parts.join('\0');
    return this.values({ from: `${begin}\0`, before: `${begin}\u0001` });
  }

  copy() {
    return new Table(new Map(this.#values), [...this.#keys]);
  }

  /** How many keys come before this one; with `behind` it counts too. */
  #placeOf(key, behind = false) {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareUtf8(this.#keys[middle], key);
      if (order < 0 || (behind && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The items in order of these members, the first of which counts most. @template Item @param {readonly Item[]} items @param {(keyof Item)[]} members */
export function sortedBy(items, ...members) {
  const inOrder = (left, right) => {
    const other = members.find((member) => left[member] !== right[member]);
    return other === undefined ? 0 : compareUtf8(left[other], right[other]);
  };
  return items.toSorted(inOrder);
}
