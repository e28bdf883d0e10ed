import { memberProblems, membersSchema, type RuleMembers } from '../../ports/rule-members.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { macroRefusals } from '../shared/rule-types/macro-scope.ts';
import { outcomeTemplateProblems } from '../shared/rule-types/outcomes.ts';
import { projectMember, projectReferences } from '../shared/rule-types/project.ts';

const members: RuleMembers = {
  project: projectMember,
  outcomes: {
    kind: 'list',
    description: 'Playbooks to run for a host when the rule begins to match it.',
    items: {
      kind: 'object',
      description: 'One run.',
      members: {
        playbook: { kind: 'text', required: true, description: 'Name of a playbook of the manifest.' },
        inventory: {
          kind: 'text',
          description: 'The provider to run with; empty for the one that the manifest names.',
        },
        extra_vars: {
          kind: 'value',
          description: 'Further variables of the run, as text (a template) or as an object.',
        },
      },
    },
  },
};

export const automationPlaybookFire: RuleType = {
  id: 'automation_playbook_fire',
  aliases: ['ansible_playbook_fire'],
  title: 'Fire playbooks',
  description:
    'Names a playbook that shall run for a host when the rule begins to match it. Stored and checked; no job runs playbooks yet.',
  keyedBy: 'name',
  uniqueNames: true,
  conditional: true,
  exportGroup: 'rules',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  check: (document, compiler) => [
    ...memberProblems(document, members),
    ...outcomeTemplateProblems(document, 'extra_vars', compiler),
  ],
  references: projectReferences,
  refusals: macroRefusals,
};
