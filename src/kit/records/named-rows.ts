import type { JsonValue } from '../../ports/index.ts';
import { isList } from './record-path.ts';

/** Makes objects of a list whose first element is a list of names, and whose other elements are lists of values. */
export class NamedRows {
  #names: readonly string[] | undefined;

  /** The object of a row; `undefined` for the names, also where a page has them again; any other element as it is. */
  record(element: JsonValue): JsonValue | undefined {
    if (!isList(element)) return element;
    if (this.#names === undefined) {
      if (!areNames(element)) return element;
      this.#names = element;
      return undefined;
    }
    const names = this.#names;
    if (element.length !== names.length) return element;
    if (element.every((value, index) => value === names[index])) return undefined;
    return Object.fromEntries(names.map((name, index) => [name, element[index] ?? null]));
  }
}

function areNames(row: readonly JsonValue[]): row is readonly string[] {
  return (
    row.length > 0 &&
    row.every((name) => typeof name === 'string' && name.trim() !== '') &&
    new Set(row).size === row.length
  );
}
