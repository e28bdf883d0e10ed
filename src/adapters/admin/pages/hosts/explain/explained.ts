import type {
  AttributeExplanation,
  Origin,
  RuleExplanation,
  RuleName,
  ValueStep,
  VariableExplanation,
} from '../../../../../app/rules/engine/explanation.ts';
import type { OfferedOutput } from '../../../offered-operations.ts';
import { sentence } from '../../language/service-texts.ts';
import { valueText } from '../../parts/value-text.ts';
import { originText } from './origin-text.ts';

export type { ConditionExplanation, Origin, RuleChange } from '../../../../../app/rules/engine/explanation.ts';
export type { RuleExplanation, RuleName };

export type Explained = OfferedOutput<'hosts/explain-host'>;

interface EarlierValue {
  readonly value: unknown;
  readonly origin: Origin;
}

/**
 * The rule and its line that hides a value, or the reason it is withheld from all consumers; otherwise no rule lets it through.
 */
type HiddenBy = { readonly rule: RuleName; readonly line: string } | { readonly withheld: string } | 'nothing';

/** A value with all those that preceded it. */
export interface ExplainedValue {
  readonly name: string;
  readonly value: unknown;
  readonly origin: Origin;
  /** Newest first. */
  readonly earlier: readonly EarlierValue[];
  /** Values of other accounts for this label, in order of precedence. */
  readonly others: readonly { readonly account: string; readonly value: unknown }[];
  /** True when the consumer of the inventory evaluates it. */
  readonly isExpression: boolean;
  /** Why the inventory does not show it. */
  readonly hidden?: HiddenBy;
}

/** Every value by name; a variable takes the place of the attribute that it is laid over. */
export function valuesOf({ explanation, contributions }: Explained): readonly ExplainedValue[] {
  const attributes = new Map(explanation.attributes.map((attribute) => [attribute.name, attribute]));
  const values = [
    ...explanation.attributes
      .filter(({ replaced }) => !replaced)
      .map((value) => ofAttribute(value, explanation.included)),
    ...explanation.variables.map((variable) => ofVariable(variable, attributes.get(variable.name))),
  ];
  return values
    .map((value) => ({ ...value, others: othersOf(value.name, contributions) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function ofAttribute(attribute: AttributeExplanation, isIncluded: boolean): ExplainedValue {
  const { name, value, origin, steps, shown } = attribute;
  const explained = { name, value, origin, earlier: earlierOf(steps), others: [], isExpression: false };
  if (shown) return { ...explained, ...hiddenByName(attribute) };
  return { ...explained, hidden: isIncluded ? (attribute.filter ?? 'nothing') : 'nothing' };
}

function ofVariable(variable: VariableExplanation, laidOver: AttributeExplanation | undefined): ExplainedValue {
  const { name, value, origin, steps, expression } = variable;
  const earlier = earlierOf([...(laidOver?.steps ?? []), ...steps]);
  return { name, value, origin, earlier, others: [], isExpression: expression, ...hiddenByName(variable) };
}

function hiddenByName({ withheld }: { readonly withheld?: string }): Pick<ExplainedValue, 'hidden'> {
  return withheld === undefined ? {} : { hidden: { withheld } };
}

/** A rule's intermediate changes to its own value are left out. */
function earlierOf(steps: readonly ValueStep[]): readonly EarlierValue[] {
  return steps
    .slice(0, -1)
    .filter((step, index) => JSON.stringify(step.origin) !== JSON.stringify(steps[index + 1]?.origin))
    .flatMap(({ after, origin }) => (after === undefined ? [] : [{ value: after, origin }]))
    .reverse();
}

function othersOf(name: string, contributions: Explained['contributions']): ExplainedValue['others'] {
  return contributions
    .filter(({ labels }) => Object.hasOwn(labels, name))
    .slice(1)
    .map(({ account, labels }) => ({ account, value: labels[name] }));
}

export const OUTCOME_COLOURS: Readonly<Record<RuleExplanation['outcome'], string>> = {
  hit: 'green',
  missed: 'gray',
  stopped: 'gray',
  left: 'gray',
  broken: 'red',
};

/** Whether the text occurs in a value's name, in its present or earlier content, or in its origin. */
export function valueHolds(value: ExplainedValue, text: string, account: string | null): boolean {
  const givers = [value, ...value.earlier].map(({ origin }) =>
    origin.kind === 'rule' ? origin.name : originText(origin, account),
  );
  const values = [value, ...value.earlier, ...value.others].map((entry) => valueText(entry.value));
  return holdsText([value.name, ...givers, ...values], text);
}

/** Whether a rule has the text in its name, conditions or changes. */
export function ruleHolds(rule: RuleExplanation, text: string): boolean {
  const conditions = rule.conditions.flatMap((condition) => [
    sentence(condition.text, condition.wording),
    condition.needle ?? '',
  ]);
  const changes = rule.changes.flatMap(({ name, before, after }) => [
    name,
    ...(before === undefined ? [] : [valueText(before)]),
    ...(after === undefined ? [] : [valueText(after)]),
  ]);
  return holdsText([rule.name, rule.type, ...conditions, ...changes], text);
}

function holdsText(texts: readonly string[], wanted: string): boolean {
  const lower = wanted.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(lower));
}

/** The id of a rule's place on the page. */
export function placeOf({ type, id }: RuleName): string {
  return `rule-${type}-${id}`;
}
