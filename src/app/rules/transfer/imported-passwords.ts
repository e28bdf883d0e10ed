import { memberText } from '../../../kit/document/members.ts';
import { detailOf } from '../../../kit/worded.ts';
import type { ErrorDetail, RuleDocument, RuleType } from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { RuleServices } from '../services.ts';

/**
 * Returns the problems of a password in clear, which must meet the policy as on a form. An empty password is ignored: the stored
 * hash stays.
 */
export function importedPasswordProblems(
  { userDocuments }: RuleServices,
  caller: Caller,
  { passwordMember: path, keyedBy }: RuleType,
  document: RuleDocument,
): readonly ErrorDetail[] {
  const password = path === undefined ? '' : memberText(document, path);
  if (path === undefined || password === '') return [];
  const name = memberText(document, keyedBy);
  const fault = userDocuments.passwordFault(password, name, caller);
  return fault === undefined ? [] : [detailOf(path, fault)];
}
