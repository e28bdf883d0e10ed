import { memberText } from '../../../kit/document/members.ts';
import { detailOf } from '../../../kit/worded.ts';
import type { ErrorDetail, RuleDocument, RuleType } from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { RuleServices } from '../services.ts';

/** A password in clear obeys the policy here as on a form. An empty one is no password: the stored hash stays. */
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
