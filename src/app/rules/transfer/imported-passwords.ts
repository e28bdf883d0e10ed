import type { ErrorDetail, RuleDocument, RuleType } from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { passwordFault } from '../../kernel/password-policy.ts';
import type { Services } from '../../kernel/services.ts';
import { memberText } from '../document/members.ts';

/** A password in clear obeys the policy here as on a form. An empty one is no password: the stored hash stays. */
export function importedPasswordProblems(
  { config, logger }: Services,
  caller: Caller,
  { passwordMember: path, keyedBy }: RuleType,
  document: RuleDocument,
): readonly ErrorDetail[] {
  const password = path === undefined ? '' : memberText(document, path);
  if (path === undefined || password === '') return [];
  const name = memberText(document, keyedBy);
  const fault = passwordFault(password, name, { minLength: config.PASSWORD_MIN_LENGTH, caller, logger });
  return fault === undefined ? [] : [{ path, message: fault }];
}
