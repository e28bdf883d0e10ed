import { memberProblems } from '../../app/rules/document/member-table.ts';
import { memberReference, memberText, ownMember, referenceValue } from '../../app/rules/document/members.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import { members } from './members.ts';

export function accountProblems(document: RuleDocument): readonly ErrorDetail[] {
  const problems = memberProblems(document, members);
  const parent = memberReference(document, 'parent');
  const id = referenceValue(ownMember(document, '_id'));
  if (parent !== undefined && (parent === id || parent === memberText(document, 'name'))) {
    problems.push({ path: 'parent', message: 'must be another account' });
  }
  return problems;
}
