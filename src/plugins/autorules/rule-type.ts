import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { isSameDocument, memberText, ownMember } from '../../kit/document/members.ts';
import { phrase } from '../../kit/worded.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { templateProblems } from '../shared/rule-types/texts.ts';

const members: RuleMembers = {
  rule_type: {
    kind: 'text',
    title: 'Type of the rules',
    offers: 'rule_type',
    required: true,
    description: 'Type of the rules to create.',
  },
  rule_body: {
    kind: 'text',
    title: 'Body of the rules',
    required: true,
    description:
      'A template that renders to the JSON of one rule, with the attributes of the host or object as variables.',
  },
  object_filter: {
    kind: 'text',
    title: 'Kind of objects',
    description: 'Kind of objects to create rules for (`host`, `network`, …); empty for hosts.',
  },
};

export const autorules: RuleType = {
  id: 'syncer_rule_automation',
  aliases: ['autorules'],
  title: 'Autorules',
  description:
    'Creates rules from the data: one for every active host or object of a kind, or one for each value of an attribute, such as each site. Rules that exist are never changed.',
  keyedBy: 'name',
  group: 'Automation',
  uniqueNames: true,
  conditional: false,
  exportGroup: 'rules',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  check: (document, compiler) => [
    ...memberProblems(document, members),
    ...templateProblems('rule_body', ownMember(document, 'rule_body'), compiler),
  ],
  ruleTypesNamed: (document) => [{ path: 'rule_type', ident: memberText(document, 'rule_type') }],
  // Generated rules are not limited to the writer's accounts, and their texts are known only once they are rendered.
  refusals: (document, existing, { accounts }) =>
    accounts === null || isSameDocument(document, existing)
      ? []
      : [
          {
            path: 'rule_body',
            message: phrase`users restricted to accounts cannot write autorules, which act on all of them`,
          },
        ],
};
