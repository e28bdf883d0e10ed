import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import type { RuleType } from '../../ports/rule-type.ts';

const members: RuleMembers = {
  description: { kind: 'text', description: 'Purpose of the project, shown to people.' },
};

export const automationProjects: RuleType = {
  id: 'automation_projects',
  aliases: ['ansible_projects'],
  title: 'Projects',
  description:
    'A project is an inventory of its own: its name becomes a provider, rendered by the rules that name the project.',
  keyedBy: 'name',
  group: 'Inventory of a project',
  uniqueNames: true,
  conditional: false,
  namesProvider: true,
  exportGroup: 'rules',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  check: (document) => memberProblems(document, members),
};
