import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { projectMember, projectReferences } from '../shared/rule-types/project.ts';
import { ACTIONS, attributesNamed, compileOutcomes, filterLine, outcomeProblems } from './outcomes.ts';

const members: RuleMembers = {
  project: projectMember,
  outcomes: {
    kind: 'list',
    description: 'Values that the inventory shows of every host that the rule hits, in order; later lines win.',
    items: {
      kind: 'object',
      description: 'One line of the filter.',
      members: {
        action: {
          kind: 'choice',
          title: 'Action',
          required: true,
          choices: ACTIONS,
          description:
            '`whitelist_attribute` shows attributes by name, `whitelist_attribute_value` by value, `ignore_hosts` takes the host out of the inventory.',
        },
        attribute_name: {
          kind: 'text',
          title: 'Attribute or value',
          offers: 'attribute',
          description:
            'A name (or value), or the beginning of some with a trailing `*`. A leading `!` hides again what earlier lines showed. Not used by `ignore_hosts`.',
        },
      },
    },
  },
};

export const automationFilter: RuleType = {
  id: 'automation_filter',
  aliases: ['ansible_filter'],
  title: 'Inventory filter',
  description:
    'Chooses which attributes become variables, and which hosts leave the inventory. Without any enabled filter rule of the project everything is shown; with one, only what is whitelisted.',
  keyedBy: 'name',
  group: 'Inventory of a project',
  line: filterLine,
  uniqueNames: true,
  conditional: true,
  exportGroup: 'rules',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  check: (document) => [...memberProblems(document, members), ...outcomeProblems(document)],
  references: projectReferences,
  attributesNamed,
  evaluation: { stage: 'filter', compile: compileOutcomes },
};
