import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { memberFlag, memberObjects, memberText } from '../../kit/document/members.ts';
import { phrase } from '../../kit/worded.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import type { RuleProblem, RuleType } from '../../ports/rule-type.ts';
import { actsOfVariables } from '../shared/rule-types/ansible-variables.ts';
import { projectMember, projectReferences } from '../shared/rule-types/project.ts';

const members: RuleMembers = {
  project: projectMember,
  outcomes: {
    kind: 'list',
    description: 'Groups of the inventory, in order; later variables win.',
    items: {
      kind: 'object',
      description: 'One group, or all that begin alike, or objects that are groups.',
      members: {
        group_name: {
          kind: 'text',
          description:
            'Name of the group, which is there even without hosts. With `*` at its end: all groups that begin so, such as those that rules make of facts. `all` is the group of all hosts.',
        },
        from_objects: {
          kind: 'text',
          description:
            'Instead of a name: every active object of this type (`group`) is a group, by its label `group_name` or its own name, with the groups of its label `parents` as parents and the rest of its labels as variables. Hosts are in the groups of their label `groups`.',
        },
        section: {
          kind: 'text',
          description: 'With `from_objects`: the inventory section that holds the variables, instead of labels.',
        },
        parent_groups: {
          kind: 'value',
          description: 'Groups that it is a child of: a list, or names with commas between.',
        },
        child_groups: { kind: 'value', description: 'Groups that are children of it, written likewise.' },
        group_variables: {
          kind: 'list',
          description: 'Variables of the group, in order.',
          items: {
            kind: 'object',
            description: 'One variable.',
            members: {
              variable_name: { kind: 'text', required: true, description: 'Name of the variable.' },
              variable_value: { kind: 'value', description: 'Its value, any JSON; it is not a template.' },
              expression: {
                kind: 'flag',
                description: 'True lets the inventory consumer evaluate its texts, also those in lists and objects.',
              },
            },
          },
        },
        expression: {
          kind: 'flag',
          description: 'With `from_objects`: true lets the inventory consumer evaluate texts of their variables.',
        },
      },
    },
  },
};

function outcomeProblems(document: RuleDocument): readonly RuleProblem[] {
  return memberObjects(document, 'outcomes').flatMap((outcome, index) => {
    const [name, type] = [memberText(outcome, 'group_name'), memberText(outcome, 'from_objects')];
    if ((name === '') !== (type === '')) return [];
    const message =
      name === ''
        ? phrase`is required, unless from_objects is given`
        : phrase`cannot be given together with from_objects`;
    return [{ path: `outcomes.${index}.group_name`, message }];
  });
}

/** Returns the effects of the document on consumers: changing connections, or evaluating its texts. */
function actsOf(document: RuleDocument): readonly string[] {
  const outcomes = memberObjects(document, 'outcomes');
  const variables = outcomes.flatMap((outcome) => memberObjects(outcome, 'group_variables'));
  const names = variables.map((variable) => memberText(variable, 'variable_name'));
  const expressions = [
    ...variables
      .filter((variable) => memberFlag(variable, 'expression'))
      .map((each) => memberText(each, 'variable_name')),
    ...outcomes.filter((outcome) => memberFlag(outcome, 'expression')).map((each) => memberText(each, 'from_objects')),
  ];
  return [
    ...actsOfVariables(names),
    ...(expressions.length === 0 ? [] : [`lets Ansible evaluate expressions (${expressions.join(', ')})`]),
  ];
}

export const automationGroups: RuleType = {
  id: 'automation_groups',
  aliases: [],
  title: 'Groups',
  description: 'Gives the groups of an inventory parents, children and variables, and makes groups without hosts.',
  keyedBy: 'name',
  uniqueNames: true,
  conditional: false,
  exportGroup: 'rules',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  check: (document) => [...memberProblems(document, members), ...outcomeProblems(document)],
  references: projectReferences,
  acts: actsOf,
};
