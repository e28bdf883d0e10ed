import { memberFlag, memberText, ownMember } from '../../../kit/document/members.ts';
import { worded } from '../../../kit/worded.ts';
import type { JsonObject, Wording } from '../../../ports/index.ts';
import { valueWording } from './value-wording.ts';

/** An attribute or variable that is set, in one line. */
export function setLine(outcome: JsonObject): Wording {
  const name = memberText(outcome, 'attribute_name');
  const value = valueWording(ownMember(outcome, 'attribute_value'));
  return memberFlag(outcome, 'expression')
    ? worded`${{ name }} = ${{ value }} (expression)`
    : worded`${{ name }} = ${{ value }}`;
}
