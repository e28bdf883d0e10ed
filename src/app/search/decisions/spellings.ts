import type { LabelScalar } from '../../../ports/index.ts';
import { foldedText } from './folded-text.ts';

/** Further texts are shown as they are compared. */
const MOST_SPELLINGS = 20_000;
const ASCII = /^[\0-\x7f]*$/;

interface Spelling {
  readonly key: string;
  count: number;
}

/** Values as a query compares them: those that differ in case alone are one, shown in their most frequent spelling. */
export class Spellings {
  readonly #spellings = new Map<string, Spelling>();

  /** Counts the spelling. The key of an empty value is empty. */
  keyOf(value: LabelScalar | undefined): string {
    const text = String(value ?? '');
    if (text === '') return text;
    const known = this.#spellings.get(text);
    if (known !== undefined) {
      known.count++;
      return known.key;
    }
    const key = foldedText(ASCII.test(text) ? text : text.normalize('NFC'));
    if (this.#spellings.size < MOST_SPELLINGS) this.#spellings.set(text, { key, count: 1 });
    return key;
  }

  /** Returns the spelling of a key: of several that are as frequent, the first in order. */
  shown(): (key: string) => string {
    const best = new Map<string, { readonly text: string; readonly count: number }>();
    for (const [text, { key, count }] of this.#spellings) {
      const other = best.get(key);
      if (other === undefined || count > other.count || (count === other.count && text < other.text)) {
        best.set(key, { text, count });
      }
    }
    return (key) => best.get(key)?.text ?? key;
  }
}
