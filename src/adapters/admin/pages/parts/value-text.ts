import { t } from '@lingui/core/macro';
import { valueText as textOrNothing } from '../../../../kit/words/value.ts';

/** A value as JSON; what cannot be told from text otherwise is in quotes. */
export function valueText(value: unknown): string {
  return textOrNothing(value) ?? t`nothing`;
}
