import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { sealMember } from '../shared/rule-types/secrets.ts';

const members: RuleMembers = {
  title: { kind: 'text', description: 'Title in the password store of the monitoring.' },
  comment: { kind: 'text', description: 'A note for people.' },
  owner: { kind: 'text', description: 'Group that owns the entry.' },
  password: {
    kind: 'text',
    secret: true,
    description: 'The password in clear text; it is stored encrypted and dropped.',
  },
  password_crypted: { kind: 'text', secret: true, description: 'The password, encrypted under the instance key.' },
};

export const cmkPasswords: RuleType = {
  id: 'cmk_passwords',
  aliases: [],
  title: 'Monitoring passwords',
  description: 'Entries of the password store of the monitoring, encrypted under the instance key.',
  keyedBy: 'name',
  group: 'Monitoring',
  switched: false,
  uniqueNames: true,
  conditional: false,
  exportGroup: 'passwords',
  secretMembers: ['password', 'password_crypted'],
  get schema() {
    return membersSchema(members);
  },
  check: (document) => memberProblems(document, members),
  prepare: (document, { seal }) =>
    sealMember(document, 'password', 'password_crypted', (plain) => seal(plain, 'password_crypted')),
  // Secrets without an account are hidden from users who are restricted to some accounts.
  visible: (_document, { accounts, templates }) => accounts === null && templates === null,
};
