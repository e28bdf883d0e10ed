import type { ErrorDetail } from '../../../ports/errors.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import { isJsonObject } from '../../kernel/json/json-object.ts';
import { flagValue, memberFlag, memberText, ownMember, scalarText } from '../document/members.ts';
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
export function readConditions(document: RuleDocument): ReadConditions {
  const list = ownMember(document, 'conditions') ?? [];
  if (!Array.isArray(list)) return { conditions: [], problems: [{ path: 'conditions', message: 'must be a list' }] };
  const conditions: { index: number; condition: Condition }[] = [];
  const problems: ErrorDetail[] = [];
  for (const [index, item] of list.entries()) {
    const found: ErrorDetail[] = [];
    const condition = readCondition(item, (member, message) =>
      found.push({ path: `conditions.${index}${member && `.${member}`}`, message }),
    );
    problems.push(...found);
    if (condition !== undefined && found.length === 0) conditions.push({ index, condition });
  }
  return { conditions, problems };
}

type Complain = (member: string, message: string) => void;

function readCondition(item: JsonValue, complain: Complain): Condition | undefined {
  if (!isJsonObject(item)) {
    complain('', 'must be an object');
    return undefined;
  }
  const kind = ownMember(item, 'match_type');
  if (kind === 'host') return readHostCondition(item, complain);
  if (kind === 'tag') return readAttributeCondition(item, complain);
  complain('match_type', isMissing(kind) ? 'is required' : 'must be "host" or "tag"');
  return undefined;
}

function readHostCondition(item: JsonObject, complain: Complain): Condition | undefined {
  const hostname = readComparison(item, 'hostname', complain);
  return hostname && { kind: 'host', hostname };
}

function readAttributeCondition(item: JsonObject, complain: Complain): Condition | undefined {
  const name = readComparison(item, 'tag', complain);
  // It looks at no value, so that documents leave the value's operator out.
  if (name?.operator === 'ignore' && name.negate) return { kind: 'absent', name: name.needle };
  const value = readComparison(item, 'value', complain);
  return name && value && { kind: 'attribute', name, value };
}

function readComparison(item: JsonObject, member: string, complain: Complain): Comparison | undefined {
  const needle = ownMember(item, member);
  if (needle !== undefined && scalarText(needle) === undefined) complain(member, 'must be a text');
  const negateMember = `${member}_match_negate`;
  if (flagValue(ownMember(item, negateMember)) === undefined) complain(negateMember, 'must be true or false');
  const operator = ownMember(item, `${member}_match`);
  const offered = member === 'value' ? OPERATORS : NAME_OPERATORS;
  if (!isOperator(operator)) {
    complain(`${member}_match`, isMissing(operator) ? 'is required' : `must be one of ${offered.join(', ')}`);
    return undefined;
  }
  if (member !== 'value' && AGE_OPERATORS.has(operator)) {
    complain(`${member}_match`, `${operator} holds the value of an attribute against the clock; a name is not a time`);
    return undefined;
  }
  return { operator, negate: memberFlag(item, negateMember), needle: memberText(item, member) };
}

function isMissing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}
