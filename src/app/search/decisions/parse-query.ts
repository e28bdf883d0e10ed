import { worded } from '../../../kit/worded.ts';
import type { Wording } from '../../../ports/index.ts';
import { accepted, type Check, refused, shown } from '../../hosts/decisions/check.ts';
import type { Comparison, Query } from './query.ts';
import { type QueryToken, queryTokens } from './query-tokens.ts';

/** No sensible query has deeper brackets. */
const DEEPEST = 50;
const MOST_TESTS = 200;
const MOST_VALUES = 1000;

/**
 * Reads what people ask: `site:fra (role:web OR role:db) NOT state:archived cpus>=8 seen<2d`. Words next to each other all hold; `OR` binds
 * less than that, `NOT` and `-` more. The error says where in the text what is wrong.
 */
export function parseQuery(text: string): Check<Query> {
  const tokens = queryTokens(text);
  if (!tokens.ok) return tokens;
  if (tokens.value.length === 0) return accepted({ kind: 'everything' });
  try {
    return accepted(new Parser(tokens.value).whole());
  } catch (error) {
    if (error instanceof Unreadable) return refused('where', error.said);
    throw error;
  }
}

class Unreadable extends Error {
  readonly said: Wording;

  constructor(said: Wording) {
    super(said.text);
    this.said = said;
  }
}

type Word = Extract<QueryToken, { kind: 'text' }>;

class Parser {
  readonly #tokens: readonly QueryToken[];
  #next = 0;
  #depth = 0;
  #words = 0;

  constructor(tokens: readonly QueryToken[]) {
    this.#tokens = tokens;
  }

  whole(): Query {
    const query = this.#any();
    const rest = this.#tokens[this.#next];
    if (rest !== undefined)
      throw new Unreadable(worded`the bracket at ${{ place: String(rest.at + 1) }} closes nothing`);
    return query;
  }

  #any(): Query {
    const parts = [this.#all()];
    while (this.#takes('or')) parts.push(this.#all());
    return joined('or', parts);
  }

  #all(): Query {
    const parts = [this.#one()];
    for (;;) {
      const token = this.#tokens[this.#next];
      if (token === undefined || token.kind === ')' || token.kind === 'or') return joined('and', parts);
      this.#takes('and');
      parts.push(this.#one());
    }
  }

  #one(): Query {
    const isNegated = this.#takesNegation();
    const part = this.#positive();
    return isNegated ? { kind: 'not', part } : part;
  }

  /** Two in a row cancel each other. */
  #takesNegation(): boolean {
    let isNegated = false;
    while (this.#takes('not')) isNegated = !isNegated;
    return isNegated;
  }

  #positive(): Query {
    const token = this.#tokens[this.#next++];
    if (token === undefined) throw new Unreadable(this.#nothingBehind());
    if (token.kind === '(') return this.#inBrackets(token, () => this.#any());
    if (token.kind === 'text') return this.#test(token);
    if (token.kind === ')')
      throw new Unreadable(worded`there is nothing in front of the bracket at ${{ place: String(token.at + 1) }}`);
    const word = token.kind === 'sign' ? token.sign : token.kind.toUpperCase();
    const advice =
      token.kind === 'sign'
        ? worded`write a field, such as site:fra`
        : worded`quote it to look for the word: "${{ word }}"`;
    throw new Unreadable(
      worded`there is nothing in front of ${{ word }} at ${{ place: String(token.at + 1) }}; ${{ advice }}`,
    );
  }

  #test(word: Word): Query {
    this.#count(1);
    if (word.text.startsWith('!') && !word.isQuoted)
      throw new Unreadable(
        worded`write ${{ right: `-${word.text.slice(1)}` }} instead of ${{ wrong: word.text }} to leave out hosts, or quote it to look for the text: "${{ word: word.text }}"`,
      );
    const sign = this.#tokens[this.#next];
    if (sign?.kind !== 'sign') return { kind: 'text', text: word.text, isQuoted: word.isQuoted };
    this.#next++;
    const value = this.#tokens[this.#next++];
    if (value?.kind === 'text') this.#count(1);
    const { comparison, isNegated } = sign;
    const test = ({ text, isQuoted }: Word): Query => {
      return { kind: 'test', field: word.text, comparison, value: text, isQuoted };
    };
    const asked = (part: Query): Query => (isNegated ? { kind: 'not', part } : part);
    if (value?.kind === 'text') return asked(test(value));
    if (value?.kind === '(') return asked(this.#inBrackets(value, () => this.#values(word, comparison, test)));
    throw new Unreadable(
      worded`add a value after ${{ sign: shown(`${word.text}${sign.sign}`) }}, or use ${{ any: `${word.text}:*` }} for any value`,
    );
  }

  #count(words: number): void {
    this.#words += words;
    if (this.#words > 2 * MOST_TESTS)
      throw new Unreadable(
        worded`more than ${{ most: String(MOST_TESTS) }} tests are asked for; ask for fewer at a time`,
      );
  }

  /** `(fra OR ber)` or `(fra ber)` behind a field. Texts that are equal to one of many cost no more than one test. */
  #values(field: Word, comparison: Comparison, test: (value: Word) => Query): Query {
    const parts: Query[] = [];
    do {
      const value = this.#tokens[this.#next++];
      if (value?.kind !== 'text')
        throw new Unreadable(worded`a value of ${{ field: shown(field.text) }} is missing between brackets`);
      if (comparison !== '=') this.#count(1);
      parts.push(test(value));
      if (parts.length > MOST_VALUES)
        throw new Unreadable(
          worded`more than ${{ most: String(MOST_VALUES) }} values of ${{ field: shown(field.text) }} are asked for; ask for fewer at a time`,
        );
    } while (this.#takes('or') || this.#tokens[this.#next]?.kind === 'text');
    const next = this.#tokens[this.#next];
    if (next !== undefined && next.kind !== ')')
      throw new Unreadable(
        worded`only values may be between the brackets behind ${{ field: shown(field.text) }}, with blanks, commas or OR between them`,
      );
    return joined('or', parts);
  }

  #inBrackets(open: QueryToken, read: () => Query): Query {
    if (++this.#depth > DEEPEST)
      throw new Unreadable(worded`brackets are nested more than ${{ most: String(DEEPEST) }} deep`);
    const query = read();
    this.#depth--;
    if (!this.#takes(')'))
      throw new Unreadable(worded`the bracket at ${{ place: String(open.at + 1) }} is never closed`);
    return query;
  }

  #takes(kind: QueryToken['kind']): boolean {
    if (this.#tokens[this.#next]?.kind !== kind) return false;
    this.#next++;
    return true;
  }

  #nothingBehind(): Wording {
    const last = this.#tokens.at(-1);
    const place = String((last?.at ?? 0) + 1);
    return last?.kind === '('
      ? worded`there is nothing behind the bracket at ${{ place }}`
      : worded`there is nothing behind ${{ word: last?.kind.toUpperCase() ?? '' }} at ${{ place }}`;
  }
}

function joined(kind: 'and' | 'or', parts: readonly Query[]): Query {
  return parts.length === 1 ? (parts[0] as Query) : { kind, parts };
}
