import { worded } from '../../../kit/worded.ts';
import { accepted, type Check, refused } from '../../hosts/decisions/check.ts';
import type { Comparison } from './query.ts';

/** How a comparison is written. */
const SIGNS: Readonly<Record<string, { readonly comparison: Comparison; readonly isNegated: boolean }>> = {
  ':': { comparison: '=', isNegated: false },
  '=': { comparison: '=', isNegated: false },
  '!=': { comparison: '=', isNegated: true },
  '>=': { comparison: '>=', isNegated: false },
  '<=': { comparison: '<=', isNegated: false },
  '>': { comparison: '>', isNegated: false },
  '<': { comparison: '<', isNegated: false },
  '~': { comparison: '~', isNegated: false },
  '!~': { comparison: '~', isNegated: true },
};

export type QueryToken =
  | { readonly kind: '(' | ')' | 'and' | 'or' | 'not'; readonly at: number }
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean; readonly at: number }
  | {
      readonly kind: 'sign';
      readonly sign: string;
      readonly comparison: Comparison;
      readonly isNegated: boolean;
      readonly at: number;
    };

const KEYWORDS: ReadonlyMap<string, 'and' | 'or' | 'not'> = new Map([
  ['AND', 'and'],
  ['OR', 'or'],
  ['NOT', 'not'],
]);
const SPACE = /\s*/y;
const SIGN = /!=|!~|>=|<=|[:=<>~]/y;
/** Up to a sign that compares. */
const FIELD = /(?:(?!!=|!~)[^\s()":=<>~])+/y;
const VALUE = /[^\s()"]+/y;
/** Between brackets behind a field; commas separate there too, unless it is a pattern. */
const LISTED = /[^\s(),"]+/y;
const BETWEEN = /[\s,]*/y;
const PATTERN = /\/((?:[^/\\]|\\[\s\S])*)\//y;
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/y;
/** IPv6 and MAC addresses, which hold the sign that compares. */
const ADDRESS =
  /(?=\S*::|(?:[0-9a-f]{1,4}:){5})(?:[0-9a-f]{0,4}:){2,}[0-9a-f.]*(?:%[\w.-]+)?(?:\/\d{1,3})?(?=[\s()]|$)/iy;

/** Takes the text of a query apart. A place in it is counted in characters from 1. */
export function queryTokens(query: string): Check<readonly QueryToken[]> {
  const tokens: QueryToken[] = [];
  let at = 0;
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(query);
    if (found !== null) at += found[0].length;
    return found;
  };
  /** The sign in front of the brackets around the position, if they hold values. */
  let listed: Comparison | undefined;
  for (;;) {
    read(listed === '=' ? BETWEEN : SPACE);
    const from = at;
    const character = query[at];
    if (character === undefined) return accepted(tokens);
    const before = tokens.at(-1);
    const isValue = before?.kind === 'sign';
    if (character === '(' || character === ')') {
      listed = isValue && character === '(' ? before.comparison : undefined;
      tokens.push({ kind: character, at });
      at++;
    } else if (character === '"') {
      const text = read(QUOTED)?.[1];
      if (text === undefined)
        return refused(
          'where',
          worded`the quotation mark at ${{ place: String(from + 1) }} is never closed; write "…"`,
        );
      tokens.push({ kind: 'text', text: text.replaceAll(/\\([\s\S])/g, '$1'), isQuoted: true, at: from });
    } else if (isValue) {
      const pattern = before.comparison === '~' ? read(PATTERN)?.[1] : undefined;
      const text = pattern?.replaceAll('\\/', '/') ?? read(VALUE)?.[0] ?? '';
      tokens.push({ kind: 'text', text, isQuoted: false, at: from });
    } else if (listed !== undefined) {
      const text = read(listed === '=' ? LISTED : VALUE)?.[0] ?? '';
      const keyword = KEYWORDS.get(text);
      tokens.push(
        keyword === undefined ? { kind: 'text', text, isQuoted: false, at: from } : { kind: keyword, at: from },
      );
    } else {
      const address = before?.kind === 'text' && before.at + before.text.length === at ? null : read(ADDRESS);
      const sign = address === null ? read(SIGN)?.[0] : undefined;
      if (sign !== undefined) {
        const { comparison, isNegated } = SIGNS[sign] as (typeof SIGNS)[string];
        tokens.push({ kind: 'sign', sign, comparison, isNegated, at: from });
      } else tokens.push(...words(address?.[0] ?? read(FIELD)?.[0] ?? '', from));
    }
  }
}

/** A word, or a sign that joins words; a minus in front of something means not. */
function words(text: string, at: number): readonly QueryToken[] {
  const keyword = KEYWORDS.get(text);
  if (keyword !== undefined) return [{ kind: keyword, at }];
  if (text === '-') return [{ kind: 'not', at }];
  if (!text.startsWith('-')) return [{ kind: 'text', text, isQuoted: false, at }];
  return [
    { kind: 'not', at },
    { kind: 'text', text: text.slice(1), isQuoted: false, at: at + 1 },
  ];
}
