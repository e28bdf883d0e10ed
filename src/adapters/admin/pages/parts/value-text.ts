import { t } from '@lingui/core/macro';
import { valueText as textOrNothing } from '../../../../kit/words/value.ts';

/** Returns a value as JSON; values that would look like others as plain text are in quotes. */
export function valueText(value: unknown): string {
  return textOrNothing(value) ?? t`nothing`;
}

/** Returns the value of a field of a host as a cell shows it: a text as it is, the elements of a list with commas. */
export function fieldText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'string' ? value : valueText(value);
}
