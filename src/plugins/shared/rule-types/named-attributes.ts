import { memberObjects, memberText } from '../../../kit/document/members.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { NamedAttribute } from '../../../ports/rule-type.ts';

/** The attributes that a member of every outcome names. */
export function outcomeAttributes(
  document: RuleDocument,
  member: string,
  use: NamedAttribute['use'],
): readonly NamedAttribute[] {
  return memberObjects(document, 'outcomes').flatMap((outcome, index) => {
    const name = memberText(outcome, member);
    return name === '' ? [] : [{ path: `outcomes.${index}.${member}`, name, use }];
  });
}
