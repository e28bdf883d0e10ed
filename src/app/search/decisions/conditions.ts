import { hostField, isMoment } from './host-fields.ts';
import { type QueryToken, queryTokens } from './query-tokens.ts';

/**
 * The parts of a query that must all hold, as they are written: of `site:fra (a OR b) NOT c` these three. Joined by blanks they ask the
 * same. Where alternatives are asked for, they are one part, in brackets.
 */
export function conditionsOf(query: string): readonly string[] {
  const tokens = queryTokens(query);
  if (!tokens.ok) return [];
  const starts: { readonly from: number; readonly isPart: boolean }[] = [];
  let depth = 0;
  let before: QueryToken | undefined;
  for (const token of tokens.value) {
    if (depth === 0 && token.kind === 'or') return [`(${query.trim()})`];
    const continues = before?.kind === 'not' || before?.kind === 'sign' || token.kind === 'sign' || token.kind === ')';
    if (depth === 0 && !continues) starts.push({ from: token.at, isPart: token.kind !== 'and' });
    if (token.kind === '(') depth++;
    if (token.kind === ')') depth--;
    before = token;
  }
  return starts.flatMap(({ from, isPart }, index) =>
    isPart ? [query.slice(from, starts[index + 1]?.from).trim()] : [],
  );
}

/** The condition for hosts whose field has exactly this value, as users write it. */
export function conditionText(field: string, value: string): string {
  const isPlain = PLAIN_VALUE.test(value) && !NOTATION.test(value);
  return `${fieldText(field)}:${isPlain ? value : quoted(value)}`;
}

/** The condition for hosts whose field has exactly one of these values. */
export function anyConditionText(field: string, values: readonly string[]): string {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return conditionText(field, only);
  return `${fieldText(field)}:(${values.map(quoted).join(' OR ')})`;
}

/** The condition for hosts that have the field, with any value. */
export function presentText(field: string): string {
  return `${fieldText(field)}:*`;
}

/** The condition for hosts without the field. */
export function missingText(field: string): string {
  return `-${presentText(field)}`;
}

/** The condition for hosts that have no value of the field. `hasEmpty`: some of them have it with an empty text. */
export function lackingText(field: string, hasEmpty: boolean): string {
  return hasEmpty && !isMoment(hostField(field).own) ? `-${fieldText(field)}~.` : missingText(field);
}

/** The field that means the label alone, where the name by itself means something else too. */
export function labelField(name: string): string {
  const { own, relation } = hostField(name);
  return own !== undefined || relation !== undefined || name.includes('.') ? `label.${name}` : name;
}

const PLAIN_VALUE = /^[\w.@-]+$/;
/** Addresses without quotation marks are found in every notation: 10.3.3.3 also as 10.3.3.3/24, digits also as a MAC address. */
const NOTATION =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?:[\da-f]{2}-){5}[\da-f]{2}|[\da-f]{4}([.-])[\da-f]{4}\1[\da-f]{4}|[\da-f]{6}-?[\da-f]{6})$/i;
const PLAIN_FIELD = /^[A-Za-z_][\w./-]*$/;
const KEYWORD = /^(?:AND|OR|NOT)$/;

export function fieldText(field: string): string {
  return PLAIN_FIELD.test(field) && !KEYWORD.test(field) ? field : quoted(field);
}

export function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
