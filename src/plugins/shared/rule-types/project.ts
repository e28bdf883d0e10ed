import { memberReference } from '../../../kit/document/members.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleMember } from '../../../ports/rule-member.ts';
import type { RuleReference } from '../../../ports/rule-type.ts';

export const projectMember: RuleMember = {
  kind: 'reference',
  title: 'Project',
  description: 'The project that the rule belongs to; empty or `Default` for the provider `automation`.',
};

export function projectReferences(document: RuleDocument): readonly RuleReference[] {
  const target = memberReference(document, 'project');
  if (target === undefined || target === 'Default') return [];
  return [{ path: 'project', type: 'automation_projects', target }];
}
