import { isExactNumber } from './exact-number.ts';
import { closingQuote, numberEnd } from './json-scan.ts';

/** A name that an object has twice: of the two values one would be lost. */
export class RepeatedName extends Error {
  override readonly name = 'RepeatedName';
  /** Where the second one stands. */
  readonly path: string;

  constructor(path: string) {
    super('an object has a name twice');
    this.path = path;
  }
}

/**
 * Reads what `JSON.parse` has accepted once more, and marks the numbers that a double would change: integers become
 * `bigint`, which JSON cannot represent and threads can hand over, others become infinite or `NaN`. Checks of values refuse
 * them, each in its own way. Throws `RepeatedName`.
 */
export function readMarkingNumbers(text: string): unknown {
  return new JsonReader(text).value('');
}

const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['t', true],
  ['f', false],
  ['n', null],
]);

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(path: string): unknown {
    const mark = this.#next();
    if (mark === '{') return this.#object(path);
    if (mark === '[') return this.#list(path);
    if (mark === '"') return this.#string();
    const literal = LITERALS.get(mark);
    if (literal === undefined) return this.#number();
    this.#at += String(literal).length;
    return literal;
  }

  #object(path: string): object {
    const members = new Map<string, unknown>();
    this.#at++;
    while (this.#next() !== '}') {
      if (this.#text[this.#at] === ',') this.#at++;
      this.#next();
      const name = this.#string();
      const inner = path === '' ? name : `${path}.${name}`;
      if (members.has(name)) throw new RepeatedName(inner);
      this.#next();
      this.#at++;
      members.set(name, this.value(inner));
    }
    this.#at++;
    // Unlike an assignment this makes a member of `__proto__` too.
    return Object.fromEntries(members);
  }

  #list(path: string): readonly unknown[] {
    const items: unknown[] = [];
    this.#at++;
    while (this.#next() !== ']') {
      if (this.#text[this.#at] === ',') this.#at++;
      items.push(this.value(path === '' ? String(items.length) : `${path}.${items.length}`));
    }
    this.#at++;
    return items;
  }

  #string(): string {
    const end = closingQuote(this.#text, this.#at) + 1;
    const text = this.#text.slice(this.#at, end);
    this.#at = end;
    return JSON.parse(text) as string;
  }

  #number(): number | bigint {
    const end = numberEnd(this.#text, this.#at);
    const token = this.#text.slice(this.#at, end);
    this.#at = end;
    const number = Number(token);
    if (isExactNumber(token)) return number;
    if (!Number.isFinite(number)) return number;
    return number === 0 ? Number.NaN : BigInt(token);
  }

  /** The next character that is no white space. */
  #next(): string {
    for (;;) {
      const character = this.#text[this.#at] as string;
      if (character > ' ') return character;
      this.#at++;
    }
  }
}
