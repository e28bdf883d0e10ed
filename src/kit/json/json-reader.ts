import { isExactNumber } from './exact-number.ts';
import { JsonTokens, MARK } from './json-tokens.ts';

/** Rules for the cases that `JSON.parse` handles silently. */
export interface ReadingRules {
  /** Returns the replacement for a number that a double would change. */
  number(token: string): unknown;
  /** Told when an object has a name twice; the later value counts. */
  repeated?(path: string): void;
  /** Told of an object in which that is so, at any depth, with the paths from there. */
  ambiguous?(object: object, paths: readonly string[]): void;
}

/** Reads what `JSON.parse` has accepted once more, by rules. */
export function readJson(text: string, rules: ReadingRules): unknown {
  const reader = new JsonReader(text, rules);
  return reader.value(reader.next(), '');
}

/**
 * Marks numbers that a double would change: integers become `bigint`, which JSON cannot represent and threads can hand over,
 * others become infinite or `NaN`. Checks of values refuse them, each in its own way.
 */
export function markedNumber(token: string): number | bigint {
  const number = Number(token);
  if (!Number.isFinite(number)) return number;
  return number === 0 ? Number.NaN : BigInt(token);
}

class JsonReader {
  readonly #tokens: JsonTokens;
  readonly #rules: ReadingRules;
  readonly #repeated: string[] = [];

  constructor(text: string, rules: ReadingRules) {
    this.#tokens = new JsonTokens(text);
    this.#rules = rules;
  }

  /** Returns the next token other than a comma or colon: those carry no information in valid JSON that is read in order. */
  next(): number {
    const mark = this.#tokens.next();
    return mark === MARK.comma || mark === MARK.colon ? this.#tokens.next() : mark;
  }

  /** The value that begins with the last token. */
  value(mark: number, path: string): unknown {
    if (mark === MARK.openObject) return this.#object(path);
    if (mark === MARK.openList) return this.#list(path);
    if (mark === MARK.text) return this.#tokens.meaning;
    const { token } = this.#tokens;
    return isWord(token) || isExactNumber(token) ? JSON.parse(token) : this.#rules.number(token);
  }

  #object(path: string): object {
    const members = new Map<string, unknown>();
    const before = this.#repeated.length;
    while (this.next() !== MARK.closeObject) {
      const name = this.#tokens.meaning;
      const inner = path === '' ? name : `${path}.${name}`;
      if (members.has(name)) {
        this.#rules.repeated?.(inner);
        this.#repeated.push(inner);
      }
      members.set(name, this.value(this.next(), inner));
    }
    // Unlike an assignment this makes a member of `__proto__` too.
    const object = Object.fromEntries(members);
    const repeated = this.#repeated.slice(before);
    if (repeated.length > 0)
      this.#rules.ambiguous?.(
        object,
        repeated.map((inner) => inner.slice(path === '' ? 0 : path.length + 1)),
      );
    return object;
  }

  #list(path: string): readonly unknown[] {
    const items: unknown[] = [];
    for (let mark = this.next(); mark !== MARK.closeList; mark = this.next()) {
      items.push(this.value(mark, path === '' ? String(items.length) : `${path}.${items.length}`));
    }
    return items;
  }
}

function isWord(token: string): boolean {
  return token === 'true' || token === 'false' || token === 'null';
}
