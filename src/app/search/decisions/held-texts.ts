import { isAny, notationOf } from './compare-values.ts';
import { hostField } from './host-fields.ts';
import type { QueryFacts } from './host-test.ts';
import type { FieldTest, Query, TextTest } from './query.ts';

/** Each is a list of texts of which a host holds at least one, in its name, labels or inventory as JSON. */
export type HeldTexts = readonly (readonly string[])[];

/** How many lists, and how many texts of each, are worth looking for. */
const MOST_LISTS = 4;
const MOST_TEXTS = 20;
const SHORTEST = 2;

/**
 * Returns texts that every host found by the query contains, so that a store need not return the others. The case of ASCII
 * letters is ignored. Empty if too little is known to exclude any host.
 */
export function heldTexts(query: Query, found: QueryFacts['found']): HeldTexts {
  return listsOf(query, found).slice(0, MOST_LISTS);
}

function listsOf(query: Query, found: QueryFacts['found']): HeldTexts {
  if (query.kind === 'and') return query.parts.flatMap((part) => listsOf(part, found));
  if (query.kind === 'or') return oneOf(query.parts.map((part) => listsOf(part, found)));
  if (query.kind !== 'text' && query.kind !== 'test') return [];
  const held = query.kind === 'text' ? heldByWord(query) : heldByTest(query, found.has(query));
  const others = [...(found.get(query) ?? [])];
  return held
    .map((texts) => [...texts, ...others])
    .filter((texts) => texts.length <= MOST_TEXTS && texts.every(isPlain));
}

/** The first list of each alternative, merged; nothing if one of them has none. */
function oneOf(parts: readonly HeldTexts[]): HeldTexts {
  const texts = parts.flatMap(([first]) => first ?? []);
  return parts.every(({ length }) => length > 0) && texts.length <= MOST_TEXTS ? [texts] : [];
}

function heldByWord({ text, isQuoted }: TextTest): HeldTexts {
  const notation = isQuoted ? undefined : notationOf(text);
  if (notation !== undefined) return notation.held;
  return longestPiece(isQuoted ? [text] : text.split('*'));
}

function heldByTest(test: FieldTest, isLookedUp: boolean): HeldTexts {
  const { own, label, path, relation } = hostField(test.field);
  // Other members of the host are not among the texts.
  if (own !== undefined && own !== 'name') return [];
  if (own === undefined && label === undefined && path === undefined) return [];
  if (relation !== undefined && !isLookedUp) return [];
  if (test.comparison !== '=' || isAny(test)) return [];
  const notation = test.isQuoted ? undefined : notationOf(test.value);
  if (notation !== undefined) return notation.held;
  return longestPiece(test.isQuoted ? [test.value] : test.value.split('*'));
}

/**
 * Characters that JSON writes as they are, and that no other character becomes when texts are composed or compared in lower case: the
 * Kelvin sign becomes k, the Greek question mark a semicolon, and the varia a grave accent.
 */
const PLAIN_PIECES = /[ !#-:<-JL-[\]-_a-jl-~]+/g;

function isPlain(text: string): boolean {
  return text.match(PLAIN_PIECES)?.[0] === text;
}

function longestPiece(pieces: readonly string[]): HeldTexts {
  const plain = pieces.flatMap((piece) => piece.normalize('NFC').match(PLAIN_PIECES) ?? []);
  const longest = plain.reduce((best, piece) => (piece.length > best.length ? piece : best), '');
  return longest.length < SHORTEST ? [] : [[longest]];
}
