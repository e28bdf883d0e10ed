import { plainWording, worded } from '../../../kit/worded.ts';
import { valueText } from '../../../kit/words/value.ts';
import type { JsonValue, Wording } from '../../../ports/index.ts';

/** A value that a rule sets, in a line. */
export function valueWording(value: JsonValue | undefined): Wording {
  return value === undefined || value === '' ? worded`empty` : plainWording(valueText(value) ?? '');
}
