import { isAny, networkTest, networkText } from './compare-values.ts';
import { hostField } from './host-fields.ts';
import type { QueryFacts } from './host-test.ts';
import type { FieldTest, Query, TextTest } from './query.ts';

/** Each is a list of texts of which a host holds at least one, in its name, labels or inventory as JSON. */
export type HeldTexts = readonly (readonly string[])[];

/** So many lists, and so many texts of each, are worth looking for. */
const MOST_LISTS = 4;
const MOST_TEXTS = 20;
const SHORTEST = 2;

/**
 * What every host holds that the query finds, so that a store need not hand out the others. ASCII letters count in whatever case. It says
 * nothing of most hosts where little is known: then it is empty.
 */
export function heldTexts(query: Query, found: QueryFacts['found']): HeldTexts {
  return listsOf(query, found).slice(0, MOST_LISTS);
}

function listsOf(query: Query, found: QueryFacts['found']): HeldTexts {
  if (query.kind === 'and') return query.parts.flatMap((part) => listsOf(part, found));
  if (query.kind === 'or') return oneOf(query.parts.map((part) => listsOf(part, found)));
  if (query.kind !== 'text' && query.kind !== 'test') return [];
  const text = query.kind === 'text' ? textOfWord(query) : textOfTest(query, found.has(query));
  if (text === undefined) return [];
  const texts = [text, ...(found.get(query) ?? [])];
  return texts.length <= MOST_TEXTS && texts.every(isPlain) ? [texts] : [];
}

/** Of alternatives the first list of each, together; nothing where one of them says nothing. */
function oneOf(parts: readonly HeldTexts[]): HeldTexts {
  const texts = parts.flatMap(([first]) => first ?? []);
  return parts.every(({ length }) => length > 0) && texts.length <= MOST_TEXTS ? [texts] : [];
}

function textOfWord({ text, isQuoted }: TextTest): string | undefined {
  if (networkTest(text) !== undefined) return networkText(text);
  return longestPiece(isQuoted ? [text] : text.split('*'));
}

function textOfTest(test: FieldTest, isLookedUp: boolean): string | undefined {
  const { own, label, path, relation } = hostField(test.field);
  // What the host says elsewhere is not among the texts.
  if (own !== undefined && own !== 'name') return undefined;
  if (own === undefined && label === undefined && path === undefined) return undefined;
  if (relation !== undefined && !isLookedUp) return undefined;
  if (test.comparison !== '=' || isAny(test)) return undefined;
  if (!test.isQuoted && networkTest(test.value) !== undefined) return networkText(test.value);
  return longestPiece(test.isQuoted ? [test.value] : test.value.split('*'));
}

/** JSON writes these signs as they are, and no other letter has one of them as its lower case. */
const PLAIN_PIECES = /[ !#-[\]-~]+/g;

function isPlain(text: string): boolean {
  return text.match(PLAIN_PIECES)?.[0] === text;
}

function longestPiece(pieces: readonly string[]): string | undefined {
  const plain = pieces.flatMap((piece) => piece.match(PLAIN_PIECES) ?? []);
  const longest = plain.reduce((best, piece) => (piece.length > best.length ? piece : best), '');
  return longest.length < SHORTEST ? undefined : longest;
}
