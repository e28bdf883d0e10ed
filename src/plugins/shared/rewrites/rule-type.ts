import { memberProblems, membersSchema } from '../../../kit/document/member-table.ts';
import type { RuleMembers } from '../../../ports/rule-member.ts';
import type { RuleType } from '../../../ports/rule-type.ts';
import { macroRefusals } from '../rule-types/macro-scope.ts';
import { projectMember, projectReferences } from '../rule-types/project.ts';
import { outcomeProblems } from './check.ts';
import { rewriteLine } from './line.ts';
import { NAME_MODES, VALUE_MODES } from './modes.ts';
import { actsOf, attributesNamed, compileOutcomes } from './outcomes.ts';

const members: RuleMembers = {
  project: projectMember,
  outcomes: {
    kind: 'list',
    description: 'Changes to the attributes of every host that the rule hits, in order, each seeing the one before.',
    items: {
      kind: 'object',
      description: 'One change.',
      members: {
        old_attribute_name: {
          kind: 'text',
          title: 'Attribute',
          offers: 'attribute',
          description: 'The attribute to change. Empty: the attribute that `new_attribute_name` names is made.',
        },
        overwrite_name: {
          kind: 'choice',
          title: 'Change of the name',
          choices: NAME_MODES,
          description:
            'Empty keeps the name; `string` and `jinja` rename; `prefix` renames all attributes whose names begin with `old_attribute_name`, which `new_attribute_name` takes the place of; `convert_list` reads a list and makes an attribute of each element.',
        },
        new_attribute_name: {
          kind: 'text',
          title: 'New name',
          description:
            'The new name, for `jinja` and `convert_list` a template; `result` is the old value in the latter.',
        },
        overwrite_value: {
          kind: 'choice',
          title: 'Change of the value',
          choices: VALUE_MODES,
          description: 'Empty keeps the value; `string` sets it; `split` takes a part; `jinja` renders a template.',
        },
        new_value: {
          kind: 'value',
          title: 'New value',
          description: 'The new value; for `split` the separator, a colon and the index of the part (`.:0`, `-:-1`).',
        },
      },
    },
  },
};

/** A type whose rules rename attributes and change their values; for exports to one type of targets where that is named. */
export function rewriteType(
  named: Pick<RuleType, 'id' | 'aliases' | 'title' | 'description' | 'group'> & { readonly target?: string },
): RuleType {
  const { target, ...type } = named;
  return {
    ...type,
    keyedBy: 'name',
    line: rewriteLine,
    uniqueNames: false,
    conditional: true,
    exportGroup: 'rules',
    secretMembers: [],
    get schema() {
      return membersSchema(members);
    },
    check: (document, compiler) => [...memberProblems(document, members), ...outcomeProblems(document, compiler)],
    references: projectReferences,
    attributesNamed,
    refusals: macroRefusals,
    acts: actsOf,
    evaluation: { stage: 'rewrite', ...(target === undefined ? {} : { target }), compile: compileOutcomes },
  };
}
