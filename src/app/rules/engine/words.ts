import { worded } from '../../../kit/worded.ts';
import type { Wording } from '../../../ports/index.ts';
import type { OPERATORS, Operator } from './operators.ts';

type Words = (value: string) => Wording;

/** The comparisons of conditions in words: as they are, and negated. */
const OPERATOR_WORDS: Readonly<Record<(typeof OPERATORS)[number], readonly [Words, Words]>> = {
  equal: [(value) => worded`equals ${{ value }}`, (value) => worded`does not equal ${{ value }}`],
  in: [(value) => worded`contains ${{ value }}`, (value) => worded`does not contain ${{ value }}`],
  not_in: [(value) => worded`does not contain ${{ value }}`, (value) => worded`contains ${{ value }}`],
  swith: [(value) => worded`starts with ${{ value }}`, (value) => worded`does not start with ${{ value }}`],
  ewith: [(value) => worded`ends with ${{ value }}`, (value) => worded`does not end with ${{ value }}`],
  in_list: [(value) => worded`is one of ${{ value }}`, (value) => worded`is none of ${{ value }}`],
  string_in_list: [
    (value) => worded`has the element ${{ value }}`,
    (value) => worded`does not have the element ${{ value }}`,
  ],
  regex: [
    (value) => worded`matches the pattern ${{ value }}`,
    (value) => worded`does not match the pattern ${{ value }}`,
  ],
  bool: [(value) => worded`means ${{ value }}`, (value) => worded`does not mean ${{ value }}`],
  older_than: [(value) => worded`is older than ${{ value }}`, (value) => worded`is not older than ${{ value }}`],
  newer_than: [(value) => worded`is newer than ${{ value }}`, (value) => worded`is not newer than ${{ value }}`],
  ignore: [() => worded`is anything`, () => worded`is nothing`],
};

/** A comparison with a value, of any operator; those of plugins have their own words. */
export function comparisonWording(operator: Operator, negate: boolean, value: string): Wording {
  const place = negate ? 1 : 0;
  return typeof operator === 'object'
    ? worded`${{ words: operator.words[place] }} ${{ value }}`
    : OPERATOR_WORDS[operator][place](value);
}
