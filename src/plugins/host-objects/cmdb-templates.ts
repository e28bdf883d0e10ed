import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { memberText, ownMember } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { phrase } from '../../kit/worded.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { JsonObject } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { actsOfVariables } from '../shared/rule-types/ansible-variables.ts';
import { macroRefusals } from '../shared/rule-types/macro-scope.ts';
import { hostMembers, labelProblems } from './members.ts';

const members: RuleMembers = {
  ...hostMembers,
  cmdb_match: {
    kind: 'text',
    title: 'For hosts with the label',
    description: 'Label and value (`os:linux`) of the hosts that the template is for.',
  },
};

export const cmdbTemplates: RuleType = {
  id: 'cmdb_templates',
  aliases: [],
  title: 'Host templates',
  description:
    'Labels for many hosts: they fill gaps of hosts whose label matches `cmdb_match`, or that name the template in `cmdb_templates`.',
  keyedBy: 'hostname',
  group: 'For every consumer',
  uniqueNames: true,
  conditional: false,
  exportGroup: 'rules',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  attributesNamed(document) {
    const [match] = memberText(document, 'cmdb_match').split(':');
    const labels = Object.keys(objectMember(document, 'labels'));
    return [
      ...(match ? [{ path: 'cmdb_match', name: match, use: 'reads' as const }] : []),
      ...labels.map((name) => ({ path: `labels.${name}`, name, use: 'sets' as const })),
    ];
  },
  refusals: macroRefusals,
  acts: (document) => actsOfVariables(Object.keys(objectMember(document, 'labels'))),
  // Inventories of templates take part in nothing, whatever form they have.
  check: (document) => [...memberProblems(document, members), ...labelProblems(document), ...matchProblems(document)],
};

function objectMember(document: RuleDocument, name: string): JsonObject {
  const value = ownMember(document, name);
  return isJsonObject(value) ? value : {};
}

function matchProblems(document: RuleDocument): readonly ErrorDetail[] {
  const match = memberText(document, 'cmdb_match');
  return match === '' || match.indexOf(':') > 0 ? [] : [{ path: 'cmdb_match', message: phrase`must be label:value` }];
}
