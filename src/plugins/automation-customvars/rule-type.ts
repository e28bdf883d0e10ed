import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { listMembers } from '../shared/rule-types/list-source.ts';
import { macroRefusals } from '../shared/rule-types/macro-scope.ts';
import { outcomeAttributes } from '../shared/rule-types/named-attributes.ts';
import { projectMember, projectReferences } from '../shared/rule-types/project.ts';
import { setLine } from '../shared/rule-types/value-wording.ts';
import { actsOf, compileOutcomes, outcomeProblems } from './outcomes.ts';

const members: RuleMembers = {
  project: projectMember,
  ...listMembers(
    'every row with a `hostname` or `name` is a host of the inventory with the columns and the outcomes as variables',
  ),
  outcomes: {
    kind: 'list',
    description: 'Variables of every host that the rule hits, in order. They are laid over the filtered attributes.',
    items: {
      kind: 'object',
      description: 'One variable.',
      members: {
        attribute_name: {
          kind: 'text',
          title: 'Variable',
          offers: 'attribute',
          required: true,
          description:
            'Name of the variable. `ansible_groups` (names separated by commas, or a list) puts the host into groups.',
        },
        attribute_value: {
          kind: 'value',
          title: 'Value',
          description:
            'Its value: a template over all attributes, those that the filter hides too. `true` and `false` become booleans.',
        },
        from_attributes: {
          kind: 'text',
          title: 'From attributes',
          description:
            'Instead of a value: attributes with this beginning (`ansible__*`) become variables, with the beginning replaced by the part of `attribute_name` before `*`.',
        },
        expression: {
          kind: 'flag',
          title: 'Expression',
          description:
            'True serves the value as written, unrendered, for the inventory consumer to evaluate, also texts in lists and objects.',
        },
      },
    },
  },
};

export const automationCustomvars: RuleType = {
  id: 'automation_customvars',
  aliases: ['ansible_customvars'],
  title: 'Custom variables',
  description:
    'Sets inventory variables of the project, computed from all attributes and laid over what the filter shows.',
  keyedBy: 'name',
  group: 'Inventory of a project',
  line: setLine,
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
  attributesNamed: (document) => [
    ...outcomeAttributes(document, 'attribute_name', 'sets'),
    ...outcomeAttributes(document, 'from_attributes', 'reads'),
  ],
  refusals: macroRefusals,
  acts: actsOf,
  evaluation: { stage: 'variables', compile: compileOutcomes },
};
