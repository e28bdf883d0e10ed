import { memberFlag, memberText, ownMember } from '../../../kit/document/members.ts';
import { plainWording, worded } from '../../../kit/worded.ts';
import { valueText } from '../../../kit/words/value.ts';
import type { JsonObject, JsonValue, Wording } from '../../../ports/index.ts';

/** A value that a rule sets, in a line. */
export function valueWording(value: JsonValue | undefined): Wording {
  return value === undefined || value === '' ? worded`empty` : plainWording(valueText(value) ?? '');
}

/** An attribute or variable that is set, in one line. */
export function setLine(outcome: JsonObject): Wording {
  const name = memberText(outcome, 'attribute_name');
  const value = valueWording(ownMember(outcome, 'attribute_value'));
  return memberFlag(outcome, 'expression')
    ? worded`${{ name }} = ${{ value }} (expression)`
    : worded`${{ name }} = ${{ value }}`;
}
