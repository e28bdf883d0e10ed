import { memberProblems, membersSchema } from '../../../kit/document/member-table.ts';
import { memberObjects, memberText, ownMember } from '../../../kit/document/members.ts';
import { phrase, plainWording, worded } from '../../../kit/worded.ts';
import type { JsonObject, Wording } from '../../../ports/index.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleMembers } from '../../../ports/rule-member.ts';
import type { RuleCompiler, RuleProblem, RuleType } from '../../../ports/rule-type.ts';
import { macroRefusals } from '../rule-types/macro-scope.ts';
import { projectMember, projectReferences } from '../rule-types/project.ts';
import { templateProblems } from '../rule-types/texts.ts';
import { valueWording } from '../rule-types/value-wording.ts';
import { NAME_MODES, readSplit, VALUE_MODES } from './modes.ts';
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

function outcomeProblems(document: RuleDocument, compiler: RuleCompiler): RuleProblem[] {
  return memberObjects(document, 'outcomes').flatMap((outcome, index) =>
    [...nameProblems(outcome, compiler), ...valueProblems(outcome, compiler)].map((problem) => ({
      ...problem,
      path: `outcomes.${index}.${problem.path}`,
    })),
  );
}

function nameProblems(outcome: JsonObject, compiler: RuleCompiler): RuleProblem[] {
  const mode = memberText(outcome, 'overwrite_name');
  const name = memberText(outcome, 'new_attribute_name');
  if (memberText(outcome, 'old_attribute_name') === '' && name === '') {
    return [
      { path: 'old_attribute_name', message: phrase`is required, or name the attribute to make in new_attribute_name` },
    ];
  }
  if (mode === 'prefix' && memberText(outcome, 'old_attribute_name') === '') {
    return [{ path: 'old_attribute_name', message: phrase`is required: what the names of the attributes begin with` }];
  }
  if (mode === '' || mode === 'prefix') return [];
  if (name === '') return [{ path: 'new_attribute_name', message: phrase`is required` }];
  return mode === 'string' ? [] : templateProblems('new_attribute_name', name, compiler);
}

function valueProblems(outcome: JsonObject, compiler: RuleCompiler): RuleProblem[] {
  const value = memberText(outcome, 'new_value');
  switch (memberText(outcome, 'overwrite_value')) {
    case 'jinja':
      return templateProblems('new_value', value, compiler);
    case 'split': {
      const split = readSplit(value);
      return typeof split === 'string' ? [{ path: 'new_value', message: split, inText: true }] : [];
    }
    default:
      return [];
  }
}

/** A change of an attribute in one line. */
function rewriteLine(outcome: JsonObject): Wording {
  const old = memberText(outcome, 'old_attribute_name');
  const attribute = memberText(outcome, 'new_attribute_name');
  const mode = memberText(outcome, 'overwrite_name');
  const made = mode === 'convert_list' ? worded`${{ attribute }} (of each element)` : plainWording(attribute);
  const renamed = old === '' ? made : mode === '' ? plainWording(old) : worded`${{ old }} → ${{ made }}`;
  const value = memberText(outcome, 'overwrite_value');
  if (value === '') return renamed;
  const newValue = valueWording(ownMember(outcome, 'new_value'));
  if (value === 'split') return worded`${{ renamed }}, split by ${{ separator: newValue }}`;
  return worded`${{ renamed }} = ${{ value: newValue }}`;
}
