import { memberFlag, memberList, memberText } from '../../kit/document/members.ts';
import { passwordHashProblem } from '../../kit/users/password-hash.ts';
import { userNameProblem } from '../../kit/users/user-names.ts';
import { detailOf, phrase, worded } from '../../kit/worded.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { RuleDocument } from '../../ports/rule.ts';

/** Users of old keep their names and rights, so that their documents can be posted back; what is new is held to the rules of today. */
export function userChangeProblems(document: RuleDocument, existing: RuleDocument | undefined): readonly ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const name = memberText(document, 'name');
  const problem = existing !== undefined && memberText(existing, 'name') === name ? undefined : userNameProblem(name);
  if (problem !== undefined) problems.push(detailOf('name', problem));
  const hash = memberText(document, 'pwdhash');
  const costs =
    existing !== undefined && memberText(existing, 'pwdhash') === hash ? undefined : passwordHashProblem(hash);
  if (costs !== undefined) {
    problems.push(
      detailOf(
        'pwdhash',
        worded`${{ problem: costs }}; give the user a new password instead, in clear text as "password"`,
      ),
    );
  }
  if (isRestrictedAdministrator(document) && !(existing && isRestrictedAdministrator(existing))) {
    problems.push({
      path: 'restrict_to_accounts',
      message: phrase`an administrator reaches all accounts: remove the restriction, or global_admin`,
    });
  }
  if (isLimitedAdministrator(document) && !(existing && isLimitedAdministrator(existing))) {
    problems.push({
      path: 'restrict_to_templates',
      message: phrase`an administrator reaches the hosts of all templates: remove the restriction, or global_admin`,
    });
  }
  return problems;
}

function isRestrictedAdministrator(document: RuleDocument): boolean {
  return memberFlag(document, 'global_admin') && memberList(document, 'restrict_to_accounts').length > 0;
}

function isLimitedAdministrator(document: RuleDocument): boolean {
  return memberFlag(document, 'global_admin') && memberList(document, 'restrict_to_templates').length > 0;
}
