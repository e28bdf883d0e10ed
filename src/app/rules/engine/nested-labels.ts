import type { JsonObject } from '../../../ports/json.ts';

/**
 * The same for one host after the other: labels of the same names in the same order, as most hosts of a source have them, are not
 * looked through again.
 */
export class NestedLabels {
  #names: readonly string[] = [];
  #objects = NONE;

  objectsOf(labels: JsonObject): ReadonlySet<string> {
    if (!this.#areNamesOf(labels)) {
      this.#names = Object.keys(labels);
      this.#objects = namesOfObjects(labels);
    }
    return this.#objects;
  }

  #areNamesOf(labels: JsonObject): boolean {
    const names = this.#names;
    let count = 0;
    for (const name in labels) {
      if (name !== names[count]) return false;
      count++;
    }
    return count === names.length;
  }
}

/** Number of names after which their memory is cleared. */
const MAX_MEMORY = 10_000;

const NONE: ReadonlySet<string> = new Set();
const known = new Map<string, readonly string[]>();

/**
 * The names that nested labels had before they were flattened: of `site.room.floor`, `site` and `site.room`. Names with a slash are
 * those of tools that put a domain before their labels (`app.kubernetes.io/name`), where dots nest nothing.
 */
export function namesOfObjects(labels: JsonObject): ReadonlySet<string> {
  let found: Set<string> | undefined;
  for (const name in labels) {
    if (!name.includes('.')) continue;
    found ??= new Set();
    for (const beginning of beginnings(name)) found.add(beginning);
  }
  return found ?? NONE;
}

/** The same few names come with every host. */
function beginnings(name: string): readonly string[] {
  let result = known.get(name);
  if (result === undefined) {
    const parts = name.includes('/') ? [] : name.split('.');
    result = parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('.'));
    if (known.size >= MAX_MEMORY) known.clear();
    known.set(name, result);
  }
  return result;
}
