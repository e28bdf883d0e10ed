import { memberProblems, membersSchema, memberText, type RuleMembers } from '../../ports/rule-members.ts';
import type { RuleType } from '../../ports/rule-type.ts';

const members: RuleMembers = {
  description: { kind: 'text', description: 'What the project is for, shown to people.' },
};

/** Words that commands and paths use for something else; registered providers are refused where they are known. */
const RESERVED = new Set(['automation', 'ansible', 'cmk_sites']);

export const automationProjects: RuleType = {
  id: 'automation_projects',
  aliases: ['ansible_projects'],
  title: 'Projects',
  description:
    'A project is an inventory of its own: its name becomes a provider, rendered by the rules that name the project.',
  keyedBy: 'name',
  uniqueNames: true,
  conditional: false,
  exportGroup: 'rules',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  check: (document) => {
    const problems = memberProblems(document, members);
    const name = memberText(document, 'name');
    if (!RESERVED.has(name.toLowerCase())) return problems;
    return [...problems, { path: 'name', message: `${name} is the name of a provider; choose another one` }];
  },
};
