import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { memberObjects, memberText } from '../../kit/document/members.ts';
import { worded } from '../../kit/worded.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { listMembers } from '../shared/rule-types/list-source.ts';
import { projectMember, projectReferences } from '../shared/rule-types/project.ts';
import { compileOutcomes, outcomeProblems } from './outcomes.ts';
import { playbookRefusals } from './refusals.ts';

const members: RuleMembers = {
  project: projectMember,
  ...listMembers('the playbooks run for the host that a row names by `hostname` or `name`'),
  outcomes: {
    kind: 'list',
    description: 'Playbooks to run for a host when the rule begins to match it.',
    items: {
      kind: 'object',
      description: 'One run.',
      members: {
        playbook: {
          kind: 'text',
          title: 'Playbook',
          offers: 'playbook',
          required: true,
          description: 'A playbook of the manifest: its file, or its name.',
        },
        inventory: {
          kind: 'text',
          title: 'Inventory',
          offers: 'provider',
          description:
            'The inventory provider to run with; empty for that of the project of the rule, without one that of the manifest.',
        },
        extra_vars: {
          kind: 'value',
          title: 'Further variables',
          description:
            'Further variables of the run: a JSON object, a YAML mapping, or `name=value` pairs. Every value is a template. `@file` is refused.',
        },
      },
    },
  },
};

export const automationPlaybookFire: RuleType = {
  id: 'automation_playbook_fire',
  aliases: ['ansible_playbook_fire'],
  title: 'Fire playbooks',
  description: 'Runs playbooks when a host starts matching. The job `Fire Playbooks` looks and runs them.',
  keyedBy: 'name',
  group: 'Automation',
  line: (outcome) => worded`run ${{ playbook: memberText(outcome, 'playbook') }}`,
  uniqueNames: true,
  conditional: true,
  takesList: true,
  exportGroup: 'rules',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  check: (document, compiler) => [...memberProblems(document, members), ...outcomeProblems(document, compiler)],
  references: projectReferences,
  acts: (document) =>
    memberObjects(document, 'outcomes').map((outcome) => `runs the playbook ${memberText(outcome, 'playbook')}`),
  refusals: playbookRefusals,
  evaluation: { stage: 'playbooks', compile: compileOutcomes },
};
