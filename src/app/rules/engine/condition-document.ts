import { flagValue, memberFlag, memberText, ownMember, scalarText } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { detailOf, phrase, type Said, worded } from '../../../kit/worded.ts';
import type { ErrorDetail } from '../../../ports/errors.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleLanguage } from '../../../ports/rule-language.ts';
import { AGE_OPERATORS, isOperator, NAME_OPERATORS, OPERATORS, type Operator } from './operators.ts';

/** One comparison of a condition. */
export interface Comparison {
  readonly operator: Operator;
  readonly negate: boolean;
  readonly needle: string;
}

export type Condition =
  | { readonly kind: 'host'; readonly hostname: Comparison }
  /** Some attribute satisfies both comparisons. */
  | { readonly kind: 'attribute'; readonly name: Comparison; readonly value: Comparison }
  /** No attribute has that name. */
  | { readonly kind: 'absent'; readonly name: string };

export interface ReadConditions {
  readonly conditions: readonly { readonly index: number; readonly condition: Condition }[];
  readonly problems: readonly ErrorDetail[];
}

/** The document's conditions; those with a problem are left out. */
export function readConditions(document: RuleDocument, language?: RuleLanguage): ReadConditions {
  const list = ownMember(document, 'conditions') ?? [];
  if (!Array.isArray(list))
    return { conditions: [], problems: [{ path: 'conditions', message: phrase`must be a list` }] };
  const conditions: { index: number; condition: Condition }[] = [];
  const problems: ErrorDetail[] = [];
  for (const [index, item] of list.entries()) {
    const found: ErrorDetail[] = [];
    const complain: Complain = (member, said) =>
      found.push(detailOf(`conditions.${index}${member && `.${member}`}`, said));
    const condition = readCondition(item, { complain, language });
    problems.push(...found);
    if (condition !== undefined && found.length === 0) conditions.push({ index, condition });
  }
  return { conditions, problems };
}

type Complain = (member: string, said: Said) => void;

interface Reading {
  readonly complain: Complain;
  readonly language: RuleLanguage | undefined;
}

function readCondition(item: JsonValue, reading: Reading): Condition | undefined {
  const { complain } = reading;
  if (!isJsonObject(item)) {
    complain('', phrase`must be an object`);
    return undefined;
  }
  const kind = ownMember(item, 'match_type');
  if (kind === 'host') return readHostCondition(item, reading);
  if (kind === 'tag') return readAttributeCondition(item, reading);
  complain('match_type', isMissing(kind) ? phrase`is required` : phrase`must be "host" or "tag"`);
  return undefined;
}

function readHostCondition(item: JsonObject, reading: Reading): Condition | undefined {
  const hostname = readComparison(item, 'hostname', reading);
  return hostname && { kind: 'host', hostname };
}

function readAttributeCondition(item: JsonObject, reading: Reading): Condition | undefined {
  const name = readComparison(item, 'tag', reading);
  // It looks at no value, so that documents leave the value's operator out.
  if (name?.operator === 'ignore' && name.negate) return { kind: 'absent', name: name.needle };
  const value = readComparison(item, 'value', reading);
  return name && value && { kind: 'attribute', name, value };
}

function readComparison(item: JsonObject, member: string, { complain, language }: Reading): Comparison | undefined {
  const needle = ownMember(item, member);
  if (needle !== undefined && scalarText(needle) === undefined) complain(member, phrase`must be a text`);
  const negateMember = `${member}_match_negate`;
  if (flagValue(ownMember(item, negateMember)) === undefined) complain(negateMember, phrase`must be true or false`);
  const named = ownMember(item, `${member}_match`);
  const operator = isOperator(named)
    ? named
    : typeof named === 'string'
      ? language?.conditionOperator(named)
      : undefined;
  if (operator === undefined) {
    const offered = [...(member === 'value' ? OPERATORS : NAME_OPERATORS), ...(language?.conditionOperatorIds() ?? [])];
    complain(
      `${member}_match`,
      isMissing(named) ? phrase`is required` : worded`must be one of ${{ choices: offered.join(', ') }}`,
    );
    return undefined;
  }
  if (member !== 'value' && AGE_OPERATORS.has(operator)) {
    complain(
      `${member}_match`,
      worded`${{ operator: String(named) }} holds the value of an attribute against the clock; a name is not a time`,
    );
    return undefined;
  }
  return { operator, negate: memberFlag(item, negateMember), needle: memberText(item, member) };
}

function isMissing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}
