import { t } from '@lingui/core/macro';
import { OPERATOR_WORDS } from './operator-words.ts';

const OPERATORS = Object.entries(OPERATOR_WORDS).map(([operator, words]) => [operator, ...words] as const);

/** Operators that compare a value with the current time; names are not times. */
const OF_VALUES: ReadonlySet<string> = new Set(['older_than', 'newer_than']);

/** Two of them have other words for the name of an attribute. */
const NAME_WORDS: Readonly<Record<string, readonly [string, string]>> = {
  equal: [t`is`, t`is not`],
  ignore: [t`is any`, t`does not exist: no attribute has the name`],
};

export interface Comparison {
  readonly operator: string;
  readonly negate: boolean;
}

/** A choice is the operator, with `!` before it when it is negated. */
export function choiceOf({ operator, negate }: Comparison): string {
  return operator === '' ? '' : `${negate ? '!' : ''}${operator}`;
}

export function comparisonOf(choice: string): Comparison {
  return choice.startsWith('!') ? { operator: choice.slice(1), negate: true } : { operator: choice, negate: false };
}

export type Subject = 'hostname' | 'tag' | 'value';

/** Returns all comparisons for a list to choose from; `current` is kept even if it is unknown. */
export function comparisonChoices(subject: Subject, current: string) {
  const words = (operator: string, holds: string, negated: string): readonly [string, string] =>
    (subject === 'tag' ? NAME_WORDS[operator] : undefined) ?? [holds, negated];
  // `not_in` means the same as negated `in`, and stays if a document has it.
  const offered = OPERATORS.filter(
    ([id]) => (subject === 'value' || !OF_VALUES.has(id)) && (id !== 'not_in' || comparisonOf(current).operator === id),
  );
  const known = [
    { group: t`As it is`, items: offered.map(([id, ...texts]) => ({ value: id, label: words(id, ...texts)[0] })) },
    { group: t`Negated`, items: offered.map(([id, ...texts]) => ({ value: `!${id}`, label: words(id, ...texts)[1] })) },
  ];
  const isKnown = current === '' || known.some(({ items }) => items.some(({ value }) => value === current));
  return isKnown ? known : [...known, { group: t`Unknown`, items: [{ value: current, label: current }] }];
}
