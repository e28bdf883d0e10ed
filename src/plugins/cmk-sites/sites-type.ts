import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { memberObjects, memberReference, ownMember } from '../../kit/document/members.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { actsOfVariables } from '../shared/rule-types/ansible-variables.ts';
import { macroRefusals } from '../shared/rule-types/macro-scope.ts';
import { templateProblems } from '../shared/rule-types/texts.ts';
import { ownVariableNames } from './variables.ts';

const members: RuleMembers = {
  server_address: { kind: 'text', description: 'The server that the site runs on: its hostname in the inventory.' },
  settings_master: { kind: 'reference', description: 'Name or id of the settings of the site.' },
  custom_ansible_variables: {
    kind: 'list',
    description: 'Further variables of the site.',
    items: {
      kind: 'object',
      description: 'One variable.',
      members: {
        variable_name: { kind: 'text', required: true, description: 'Name of the variable.' },
        variable_value: { kind: 'value', description: 'Its value; texts are templates.' },
      },
    },
  },
};

export const cmkSites: RuleType = {
  id: 'cmk_sites',
  aliases: [],
  title: 'Sites',
  description: 'Monitoring sites. Enabled ones are served by the provider `cmk_sites`, one host a server.',
  keyedBy: 'name',
  group: 'Monitoring',
  uniqueNames: true,
  conditional: false,
  exportGroup: 'rules',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  check: (document, compiler) => [
    ...memberProblems(document, members),
    ...memberObjects(document, 'custom_ansible_variables').flatMap((variable, index) =>
      templateProblems(
        `custom_ansible_variables.${index}.variable_value`,
        ownMember(variable, 'variable_value'),
        compiler,
      ),
    ),
  ],
  references: (document) => {
    const target = memberReference(document, 'settings_master');
    return target === undefined ? [] : [{ path: 'settings_master', type: 'cmk_site_settings', target }];
  },
  acts: (document) => {
    const settings = memberReference(document, 'settings_master');
    const shown = settings === undefined ? [] : [`shows the secrets of the site settings ${settings} in its inventory`];
    return [...actsOfVariables(ownVariableNames(document)), ...shown];
  },
  refusals: macroRefusals,
  // Secrets without an account are hidden from users who are restricted to some accounts.
  visible: (_document, { accounts, templates }) => accounts === null && templates === null,
};
