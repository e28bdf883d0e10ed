import { commonAccountOptions } from '../../kit/account-options/common-options.ts';
import { memberFlag, memberObjects, memberReference, memberText } from '../../kit/document/members.ts';
import type { RuleDocument } from '../../ports/rule.ts';

/**
 * All that may decide about files: the type, the parent that options come from, the address, and every option but the common
 * ones, because only a type knows which of its options name files. Sealed values stand for themselves.
 */
export function namedOnMachine(document: RuleDocument): string {
  const fields = memberObjects(document, 'custom_fields')
    .map((field) => [
      memberText(field, 'name'),
      memberText(field, 'value'),
      memberText(field, 'value_crypted'),
      memberText(field, 'value_from'),
    ])
    .filter(([name = '']) => !commonAccountOptions().has(name));
  return JSON.stringify([
    memberText(document, 'type') || memberText(document, 'typ'),
    memberFlag(document, 'is_child'),
    memberReference(document, 'parent') ?? '',
    memberText(document, 'address'),
    fields,
  ]);
}
