import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { memberObjects, memberText } from '../../kit/document/members.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { actsOfVariables } from '../shared/rule-types/ansible-variables.ts';
import { macroRefusals } from '../shared/rule-types/macro-scope.ts';
import { outcomeAttributes } from '../shared/rule-types/named-attributes.ts';
import { setLine } from '../shared/rule-types/set-line.ts';
import { compileOutcomes, outcomeProblems } from './outcomes.ts';

const members: RuleMembers = {
  outcomes: {
    kind: 'list',
    description: 'Attributes to set on every host that the rule hits, in order.',
    items: {
      kind: 'object',
      description: 'One attribute.',
      members: {
        attribute_name: {
          kind: 'text',
          title: 'Attribute',
          offers: 'attribute',
          required: true,
          description: 'Name of the attribute.',
        },
        attribute_value: {
          kind: 'value',
          title: 'Value',
          description:
            'Its value. Texts may be templates (`{{ site|upper }}`); `True` and `False` become booleans; a template that fails gives an empty text.',
        },
      },
    },
  },
};

export const customAttributes: RuleType = {
  id: 'custom_attributes',
  aliases: [],
  title: 'Custom attributes',
  description:
    'Sets attributes for every consumer, before the rules of any project. Each rule sees what the ones before it set.',
  keyedBy: 'name',
  group: 'For every consumer',
  line: setLine,
  uniqueNames: true,
  conditional: true,
  exportGroup: 'rules',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  check: (document, compiler) => [...memberProblems(document, members), ...outcomeProblems(document, compiler)],
  attributesNamed: (document) => outcomeAttributes(document, 'attribute_name', 'sets'),
  refusals: macroRefusals,
  acts: (document) =>
    actsOfVariables(memberObjects(document, 'outcomes').map((outcome) => memberText(outcome, 'attribute_name'))),
  evaluation: { stage: 'attributes', compile: compileOutcomes },
};
