import { t } from '@lingui/core/macro';
import { valueText as textOrNothing } from '../../../../kit/words/value.ts';

/** Returns a value as JSON; values that would look like others as plain text are in quotes. */
export function valueText(value: unknown): string {
  return textOrNothing(value) ?? t`nothing`;
}
