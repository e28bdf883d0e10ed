import { commonAccountOptions } from '../../kit/account-options/common-options.ts';
import { memberObjects, memberText } from '../../kit/document/members.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleType } from '../../ports/rule-type.ts';

/** Returns the external references under which the account keeps secrets. */
export function referencesNamed(document: RuleDocument): readonly string[] {
  const fields = memberObjects(document, 'custom_fields').map((field) => memberText(field, 'value_from'));
  return [memberText(document, 'password_from'), ...fields].filter((reference) => reference !== '');
}

export function accountType(document: RuleDocument): string {
  return memberText(document, 'type') || memberText(document, 'typ') || 'api';
}

/** An option without a value counts as not set: stored accounts carry a field for every option they could have. */
export function optionsNamed(document: RuleDocument): ReturnType<NonNullable<RuleType['optionsNamed']>> {
  const options = memberObjects(document, 'custom_fields').flatMap((field, index) => {
    const name = memberText(field, 'name');
    const isSet =
      memberText(field, 'value') !== '' ||
      memberText(field, 'value_crypted') !== '' ||
      memberText(field, 'value_from') !== '';
    return !isSet || name === '' || commonAccountOptions().has(name) ? [] : [{ path: `custom_fields.${index}`, name }];
  });
  return { accountType: accountType(document), options };
}
