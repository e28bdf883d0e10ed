/** The comparisons of conditions with the words that explanations use: as they are, and negated. */
const OPERATORS: readonly (readonly [operator: string, holds: string, negated: string])[] = [
  ['equal', 'equals', 'does not equal'],
  ['in', 'contains', 'does not contain'],
  ['not_in', 'does not contain', 'contains'],
  ['swith', 'starts with', 'does not start with'],
  ['ewith', 'ends with', 'does not end with'],
  ['in_list', 'is one of', 'is none of'],
  ['string_in_list', 'has the element', 'does not have the element'],
  ['regex', 'matches the pattern', 'does not match the pattern'],
  ['bool', 'means (true or false)', 'does not mean (true or false)'],
  ['older_than', 'is older than (2d, 12h, 30m, 1w)', 'is not older than (or no time)'],
  ['newer_than', 'is newer than (2d, 12h, 30m, 1w)', 'is not newer than (or no time)'],
  ['ignore', 'is anything', 'is nothing: never holds'],
];

/** They hold a value against the clock; names are no times. */
const OF_VALUES: ReadonlySet<string> = new Set(['older_than', 'newer_than']);

/** For the name of an attribute two of them read differently. */
const NAME_WORDS: Readonly<Record<string, readonly [string, string]>> = {
  equal: ['is', 'is not'],
  ignore: ['is any', 'does not exist: no attribute has the name'],
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

/** All comparisons for a list to choose from; `current` is kept when nobody knows it. */
export function comparisonChoices(subject: Subject, current: string) {
  const words = (operator: string, holds: string, negated: string): readonly [string, string] =>
    (subject === 'tag' ? NAME_WORDS[operator] : undefined) ?? [holds, negated];
  const offered = OPERATORS.filter(([id]) => subject === 'value' || !OF_VALUES.has(id));
  const known = [
    {
      group: 'As it is',
      items: offered.map(([id, ...texts]) => ({ value: id, label: `${words(id, ...texts)[0]} (${id})` })),
    },
    {
      group: 'Negated',
      items: offered.map(([id, ...texts]) => ({ value: `!${id}`, label: `${words(id, ...texts)[1]} (not ${id})` })),
    },
  ];
  const isKnown = current === '' || known.some(({ items }) => items.some(({ value }) => value === current));
  return isKnown ? known : [...known, { group: 'Unknown', items: [{ value: current, label: current }] }];
}
