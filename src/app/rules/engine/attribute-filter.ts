import { scalarText } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import type { AttributeFiltering, FilterLine } from '../../../ports/rule-type.ts';

/** An object of nested labels that a filter shows, with the line that names it. */
export interface ShownObject {
  readonly name: string;
  readonly value: JsonObject;
  readonly line: FilterLine;
}

/** Decides which attributes are shown. */
export interface ShownAttributes {
  shows(name: string, value: JsonValue): boolean;
  objects(objectOf: (name: string) => JsonObject | undefined): readonly ShownObject[];
  /** The last line that fits; `undefined` when none does, which hides the attribute. */
  decidingLine(name: string, value: JsonValue): FilterLine | undefined;
}

/** The filter lines that the rules of one host added, in order. */
export class AttributeFilter implements AttributeFiltering, ShownAttributes {
  #lines: FilterLine[] = [];
  #ignored = false;
  #takesLines = true;

  clear(): void {
    if (this.#lines.length > 0) this.#lines = [];
    this.#ignored = false;
  }

  get ignored(): boolean {
    return this.#ignored;
  }

  get lines(): readonly FilterLine[] {
    return this.#lines;
  }

  add(line: FilterLine): void {
    if (!this.#takesLines) throw new Error('its type is for filters that take hosts out, and it chooses attributes');
    this.#lines.push(line);
  }

  /** Runs `work`, in which choosing attributes is a fault. */
  withoutLines<T>(work: () => T): T {
    this.#takesLines = false;
    try {
      return work();
    } finally {
      this.#takesLines = true;
    }
  }

  ignoreHost(): void {
    this.#ignored = true;
  }

  shows(name: string, value: JsonValue): boolean {
    return this.decidingLine(name, value)?.show ?? false;
  }

  /**
   * Returns the objects of nested labels that lines show by their full names, without members hidden by a line of their own.
   * `objectOf` returns the object for a name that no attribute has.
   */
  objects(objectOf: (name: string) => JsonObject | undefined): readonly ShownObject[] {
    let shown: ShownObject[] | undefined;
    for (const line of this.#lines) {
      if (line.on !== 'name' || line.prefix || !line.show) continue;
      const name = line.text;
      const object = objectOf(name);
      if (object === undefined || !this.shows(name, object)) continue;
      shown ??= [];
      if (shown.some((known) => known.name === name)) continue;
      const value = this.#shownMembers(name, object);
      if (Object.keys(value).length > 0) shown.push({ name, value, line });
    }
    return shown ?? NO_OBJECTS;
  }

  #shownMembers(path: string, object: JsonObject): JsonObject {
    const entries: [string, JsonValue][] = [];
    for (const [key, value] of Object.entries(object)) {
      const name = `${path}.${key}`;
      if (this.decidingLine(name, value)?.show === false) continue;
      entries.push([key, isJsonObject(value) ? this.#shownMembers(name, value) : value]);
    }
    return Object.fromEntries(entries);
  }

  /** Returns the part of an object shown by another filter that this one shows too; `undefined` if none is left. */
  narrowed({ name, value, line }: ShownObject): ShownObject | undefined {
    if (!this.shows(name, value)) return undefined;
    const left = this.#shownMembers(name, value);
    return Object.keys(left).length === 0 ? undefined : { name, value: left, line };
  }

  decidingLine(name: string, value: JsonValue): FilterLine | undefined {
    const lines = this.#lines;
    for (let index = lines.length - 1; index >= 0; index--) {
      const line = lines[index];
      if (line !== undefined && fits(line, name, value)) return line;
    }
    return undefined;
  }
}

/** Two filters that both decide: what one of them hides is hidden. */
export class BothFilters implements ShownAttributes {
  readonly #first: AttributeFilter;
  readonly #second: AttributeFilter;

  constructor(first: AttributeFilter, second: AttributeFilter) {
    this.#first = first;
    this.#second = second;
  }

  shows(name: string, value: JsonValue): boolean {
    return this.#first.shows(name, value) && this.#second.shows(name, value);
  }

  objects(objectOf: (name: string) => JsonObject | undefined): readonly ShownObject[] {
    return this.#first.objects(objectOf).flatMap((shown) => this.#second.narrowed(shown) ?? []);
  }

  /** The line that hides, if one does. */
  decidingLine(name: string, value: JsonValue): FilterLine | undefined {
    return this.#first.shows(name, value)
      ? this.#second.decidingLine(name, value)
      : this.#first.decidingLine(name, value);
  }
}

const NO_OBJECTS: readonly ShownObject[] = [];

function fits(line: FilterLine, name: string, value: JsonValue): boolean {
  const text = line.on === 'name' ? name : scalarText(value);
  if (text === undefined) return false;
  return line.prefix ? text.startsWith(line.text) : text === line.text;
}
