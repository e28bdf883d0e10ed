import { scalarText } from '../../kit/document/members.ts';
import type { JsonValue } from '../../ports/index.ts';

/** Names come from data: no more of them are counted, and no more values. */
const MOST = 5000;
/** Longer texts are nothing that somebody compares with. */
const MOST_LENGTH = 200;

/** How many hosts have an attribute, and how many one of its values. */
export class AttributeCounter {
  readonly #attribute: string | undefined;
  readonly #names = new Map<string, number>();
  readonly #values = new Map<string, number>();

  constructor(attribute: string | undefined) {
    this.#attribute = attribute;
  }

  add(attributes: ReadonlyMap<string, JsonValue>): void {
    for (const name of attributes.keys()) count(this.#names, name);
    const value = this.#attribute === undefined ? undefined : attributes.get(this.#attribute);
    if (value === undefined) return;
    for (const text of new Set(texts(value))) count(this.#values, text);
  }

  /** The most frequent first. */
  most(limit: number) {
    return { names: sorted(this.#names, limit), values: sorted(this.#values, limit) };
  }
}

function texts(value: JsonValue): readonly string[] {
  const items: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  return items.map((item) => scalarText(item) ?? '').filter((text) => text !== '' && text.length <= MOST_LENGTH);
}

function count(counts: Map<string, number>, text: string): void {
  const before = counts.get(text);
  if (before !== undefined || counts.size < MOST) counts.set(text, (before ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>, limit: number) {
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([text, hosts]) => ({ text, hosts }));
}
