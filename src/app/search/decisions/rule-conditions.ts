import { worded } from '../../../kit/worded.ts';
import type { JsonObject, Wording } from '../../../ports/index.ts';
import { isAny, notationOf } from './compare-values.ts';
import { conditionText, fieldText, quoted } from './conditions.ts';
import { hostField } from './host-fields.ts';
import { type FieldTest, isValueList, type Query, type TextTest } from './query.ts';

/** A part of a query that a rule says in another way, or not at all. */
export interface PartNote {
  /** As it is written. */
  readonly part: string;
  /** True where the rule has nothing of it. */
  readonly isLeftOut: boolean;
  readonly why: Wording;
}

export interface RuleConditions {
  readonly mode: 'all' | 'any' | 'anyway';
  readonly conditions: readonly JsonObject[];
  readonly notes: readonly PartNote[];
}

/**
 * A query as the conditions of one rule, which either must all hold or of which one must. What conditions cannot say is left out and
 * named: a rule never does something else than the query without a word.
 */
export function ruleConditions(query: Query): RuleConditions {
  const notes: PartNote[] = [];
  const whole = normal(query, false);
  if (whole.kind === 'everything') return { mode: 'anyway', conditions: [], notes };
  const single = whole.kind === 'not' || whole.kind === 'test' || whole.kind === 'text' ? whole : undefined;
  // One thing that takes several conditions is one of them.
  const alternatives = whole.kind === 'or' ? whole.parts : single === undefined ? undefined : [single];
  if (alternatives !== undefined) {
    const said = alternatives.map((part) => (part.kind === 'and' ? together(part) : alternative(part)));
    const conditions = taken(said, notes);
    const isOne = conditions.length === 1 && alternatives.length === 1;
    return { mode: isOne ? 'all' : 'any', conditions, notes };
  }
  const parts = whole.kind === 'and' ? whole.parts : [];
  return { mode: 'all', conditions: taken(parts.map(together), notes), notes };
}

/** The result for a part. */
interface Said {
  readonly part: Query;
  readonly conditions: readonly JsonObject[];
  readonly why?: Wording | undefined;
}

function taken(said: readonly Said[], notes: PartNote[]): JsonObject[] {
  for (const { part, conditions, why } of said) {
    if (why !== undefined) notes.push({ part: queryText(part), isLeftOut: conditions.length === 0, why });
  }
  return said.flatMap(({ conditions }) => conditions);
}

/** `not` only in front of single tests, and no brackets that change nothing. */
function normal(query: Query, isNegated: boolean): Query {
  if (query.kind === 'not') return normal(query.part, !isNegated);
  if (query.kind !== 'and' && query.kind !== 'or') {
    return isNegated && query.kind !== 'everything' ? { kind: 'not', part: query } : query;
  }
  const kind = (query.kind === 'and') === isNegated ? 'or' : 'and';
  const parts = query.parts
    .map((part) => normal(part, isNegated))
    .flatMap((part) => (part.kind === kind ? part.parts : [part]));
  return { kind, parts };
}

/** A part of which one condition must hold: it may take several. */
function alternative(part: Query): Said {
  if (part.kind === 'text') {
    if (isNetwork(part.text, part.isQuoted)) return left(part, NETWORKS);
    const name = hostCondition(comparisonOf(part));
    const anywhere = { ...tagCondition('', comparisonOf(part)), tag_match: 'ignore' };
    const why = worded`the rule looks at all attributes, those of the inventory too`;
    return { part, conditions: [name, anywhere], why };
  }
  const said = together(part);
  // `-site:fra` is also true of hosts without a site.
  if (part.kind !== 'not' || part.part.kind !== 'test' || said.conditions.length === 0) return said;
  const field = attributeOf(part.part);
  if (typeof field !== 'string' || isAny(part.part)) return said;
  return { part, conditions: [...said.conditions, absent(field)] };
}

/** Turns a part into one condition that is combined with others. */
function together(part: Query): Said {
  if (part.kind === 'or') return oneOf(part);
  const isNegated = part.kind === 'not';
  const test = isNegated ? part.part : part;
  if (test.kind === 'text') {
    if (isNetwork(test.text, test.isQuoted)) return left(part, NETWORKS);
    const why = worded`a condition looks at the hostname or at one attribute: the rule looks at the hostname only`;
    return { part, conditions: [hostCondition(comparisonOf(test), isNegated)], why };
  }
  if (test.kind !== 'test') {
    return left(
      part,
      worded`one rule says either that all conditions hold or that one of them does; make another rule for this`,
    );
  }
  if (isImplied(part)) return { part, conditions: [] };
  const field = attributeOf(test);
  if (typeof field === 'object' && field !== null) return left(part, field);
  const comparison = comparisonOf(test);
  if ('why' in comparison) return left(part, comparison.why);
  const why = otherMeaning(test);
  if (field === null) return { part, conditions: [hostCondition(comparison, isNegated)], why };
  if (isAny(test)) return { part, conditions: [isNegated ? absent(field) : tagCondition(field, ANY)], why };
  const negated = worded`the rule hits only hosts that have ${{ attribute: field }} with another value`;
  return {
    part,
    conditions: [tagCondition(field, comparison, isNegated)],
    why: why ?? (isNegated ? negated : ofSection(test.field)),
  };
}

/** A query looks at more than the attribute that a rule compares. */
function otherMeaning({ field, comparison, value, isQuoted }: FieldTest): Wording | undefined {
  const { own, label, relation } = hostField(field);
  if (relation !== undefined && label !== undefined)
    return worded`conditions do not follow relations: the rule looks at the label of that name`;
  if (comparison !== '=' || isQuoted || notationOf(value) === undefined) return undefined;
  return own === 'name'
    ? worded`the rule compares it with the hostname only, and does not find hosts by their addresses`
    : worded`the rule compares texts, and does not know other notations of an address`;
}

const NETWORKS = worded`conditions do not know which addresses are of a network`;

function isNetwork(text: string, isQuoted: boolean): boolean {
  return !isQuoted && text.includes('/') && notationOf(text) !== undefined;
}

/** A name with dots is a label, or a place in the inventory, where rules call its section otherwise. */
function ofSection(written: string): Wording | undefined {
  const { label, path = [] } = hostField(written);
  if (label === undefined || path.length < 2) return undefined;
  return worded`taken as the label of that name; write ${{ field: `section.${written}` }} for a place in the inventory`;
}

/** Turns `site:(fra OR ber)` among other conditions into one pattern: it holds alternatives of one field. */
function oneOf(part: Query): Said {
  if (!isValueList(part) || part.parts.some(isAny)) {
    return left(
      part,
      worded`together with other conditions, a rule takes alternatives of one field only; make a rule of each`,
    );
  }
  const tests = part.parts;
  const [first] = tests;
  const field = first === undefined ? null : attributeOf(first);
  if (typeof field === 'object' && field !== null) return left(part, field);
  const failed = tests.map(comparisonOf).find((comparison) => 'why' in comparison);
  if (failed !== undefined && 'why' in failed) return left(part, failed.why);
  const isPlain = ({ value, isQuoted }: FieldTest): boolean =>
    (isQuoted || !value.includes('*')) && !value.includes(',');
  const comparison: Comparison =
    field === null && tests.every(isPlain)
      ? { operator: 'in_list', needle: tests.map(({ value }) => value.toLowerCase()).join(',') }
      : { operator: 'regex', needle: `(?i)(?:${tests.map(patternOf).join('|')})$` };
  const conditions = [field === null ? hostCondition(comparison) : tagCondition(field, comparison)];
  return { part, conditions, why: tests.map(otherMeaning).find((why) => why !== undefined) };
}

function left(part: Query, why: Wording): Said {
  return { part, conditions: [], why };
}

/** Rules run over active hosts, whether the query says so or not. */
function isImplied(part: Query): boolean {
  return part.kind === 'test' && hostField(part.field).own === 'state' && part.value.toLowerCase() === 'active';
}

/** The attribute that a field is, `null` for the hostname, or why rules have none of it. */
function attributeOf({ field: written }: FieldTest): string | null | Wording {
  const { own, label, path, relation, served } = hostField(written);
  if (own === 'name') return null;
  if (own === 'account') return 'SOURCE_ACCOUNT';
  if (served !== undefined)
    return worded`rules set these values themselves; put the rule behind the one that sets it, and name its attribute`;
  if (own === 'group') return worded`groups are made of what rules set, so that conditions do not know them`;
  if (own !== undefined) return worded`rules have no attribute of it`;
  if (label !== undefined) return label;
  if (path !== undefined && path.length > 1) {
    const [section = '', key = '', ...deeper] = path;
    return [`${section}__${key}`, ...deeper].join('.');
  }
  return relation === undefined ? worded`rules have no attribute of it` : worded`conditions do not follow relations`;
}

interface Comparison {
  readonly operator: string;
  readonly needle: string;
}

const ANY: Comparison = { operator: 'ignore', needle: '' };

function comparisonOf(test: TextTest): Comparison;
function comparisonOf(test: FieldTest): Comparison | { readonly why: Wording };
function comparisonOf(test: FieldTest | TextTest): Comparison | { readonly why: Wording } {
  if (test.kind === 'text') {
    return test.isQuoted || !test.text.includes('*') ? { operator: 'in', needle: test.text } : wildcard(test.text);
  }
  const { comparison, value, isQuoted } = test;
  if (comparison === '~') return { operator: 'regex', needle: `(?is).*?(?:${value})` };
  if (comparison !== '=') return { why: worded`conditions do not compare by size` };
  if (isNetwork(value, isQuoted)) return { why: NETWORKS };
  return isQuoted || !value.includes('*') ? { operator: 'equal', needle: value } : wildcard(value);
}

/** `web*`, `*.example.org` and `*db*` have comparisons of their own. */
function wildcard(text: string): Comparison {
  const inner = text.replace(/^\*+|\*+$/g, '');
  const [begins, ends] = [!text.startsWith('*'), !text.endsWith('*')];
  if (inner.includes('*') || (begins && ends)) return { operator: 'regex', needle: `(?is)${piecesOf(text)}$` };
  if (begins) return { operator: 'swith', needle: inner };
  return ends ? { operator: 'ewith', needle: inner } : { operator: 'in', needle: inner };
}

function patternOf({ value, isQuoted }: FieldTest): string {
  return isQuoted ? escaped(value) : piecesOf(value);
}

function piecesOf(text: string): string {
  return text.split('*').map(escaped).join('.*');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function hostCondition({ operator, needle }: Comparison, isNegated = false): JsonObject {
  return { match_type: 'host', hostname: needle, hostname_match: operator, hostname_match_negate: isNegated };
}

/** Comparisons that hold for no list, or, negated, for every one. */
const NO_LISTS: ReadonlySet<unknown> = new Set(['equal', 'swith', 'ewith', 'regex', 'in_list']);

/** Attributes whose values conditions compare as one text: a query looks at each element of a list. */
export function comparedAsText(conditions: readonly JsonObject[]): readonly string[] {
  const compared = conditions.filter(
    ({ match_type, value_match }) => match_type === 'tag' && NO_LISTS.has(value_match),
  );
  return [...new Set(compared.map(({ tag }) => String(tag)))].filter((tag) => tag !== '');
}

function tagCondition(name: string, { operator, needle }: Comparison, isNegated = false): JsonObject {
  return {
    match_type: 'tag',
    tag: name,
    tag_match: 'equal',
    tag_match_negate: false,
    value: needle,
    value_match: operator,
    value_match_negate: isNegated,
  };
}

function absent(name: string): JsonObject {
  return { ...tagCondition(name, ANY), tag_match: 'ignore', tag_match_negate: true };
}

/** A part as one writes it. */
function queryText(query: Query): string {
  switch (query.kind) {
    case 'everything':
      return '';
    case 'not':
      return `-${queryText(query.part)}`;
    case 'and':
      return `(${query.parts.map(queryText).join(' ')})`;
    case 'or':
      return `(${query.parts.map(queryText).join(' OR ')})`;
    case 'text':
      return query.isQuoted ? quoted(query.text) : query.text;
    default:
      return testText(query);
  }
}

function testText(test: FieldTest): string {
  const { field, comparison, value, isQuoted } = test;
  if (comparison === '=' && isQuoted) return conditionText(field, value);
  return `${fieldText(field)}${comparison === '=' ? ':' : comparison}${isQuoted ? quoted(value) : value}`;
}
