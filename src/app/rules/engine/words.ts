import type { OPERATORS, Operator } from './operators.ts';

/** The comparisons of conditions in words: as they are, and negated. */
const OPERATOR_WORDS: Readonly<Record<(typeof OPERATORS)[number], readonly [string, string]>> = {
  equal: ['equals', 'does not equal'],
  in: ['contains', 'does not contain'],
  not_in: ['does not contain', 'contains'],
  swith: ['starts with', 'does not start with'],
  ewith: ['ends with', 'does not end with'],
  in_list: ['is one of', 'is none of'],
  string_in_list: ['has the element', 'does not have the element'],
  regex: ['matches the pattern', 'does not match the pattern'],
  bool: ['means', 'does not mean'],
  older_than: ['is older than', 'is not older than'],
  newer_than: ['is newer than', 'is not newer than'],
  ignore: ['is anything', 'is nothing'],
};

/** The same of any operator. */
export function operatorWords(operator: Operator): readonly [string, string] {
  return typeof operator === 'object' ? operator.words : OPERATOR_WORDS[operator];
}
