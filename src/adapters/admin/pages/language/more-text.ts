import { t } from '@lingui/core/macro';
import { numberText } from './numbers.ts';

/** How many of a list are not shown: `and 1,024 more`. */
export function moreText(count: number): string {
  return t`and ${{ count: numberText(count) }} more`;
}
