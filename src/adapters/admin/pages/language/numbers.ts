import { i18n } from '@lingui/core';

/** A number as the language writes it: `1,024`, `1.024`. */
export function numberText(value: number): string {
  return i18n.number(value);
}
