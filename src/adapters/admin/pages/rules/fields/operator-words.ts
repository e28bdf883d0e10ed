import { t } from '@lingui/core/macro';
import type { OPERATORS } from '../../../../../app/rules/engine/operators.ts';

/** The comparisons of conditions in words, for a list to choose from: plain and negated. */
export const OPERATOR_WORDS: Readonly<Record<(typeof OPERATORS)[number], readonly [string, string]>> = {
  equal: [t`equals`, t`does not equal`],
  in: [t`contains`, t`does not contain`],
  not_in: [t`does not contain`, t`contains`],
  swith: [t`starts with`, t`does not start with`],
  ewith: [t`ends with`, t`does not end with`],
  in_list: [t`is one of`, t`is none of`],
  string_in_list: [t`has the element`, t`does not have the element`],
  regex: [t`matches the pattern`, t`does not match the pattern`],
  bool: [t`means (true or false)`, t`does not mean (true or false)`],
  older_than: [t`is older than (2d, 12h, 30m, 1w)`, t`is not older than (or no time)`],
  newer_than: [t`is newer than (2d, 12h, 30m, 1w)`, t`is not newer than (or no time)`],
  ignore: [t`is anything`, t`is nothing: never holds`],
};
