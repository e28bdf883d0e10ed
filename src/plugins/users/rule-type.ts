import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { memberList, ownMember, referenceValue } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { tokenHashOf } from '../../kit/users/token-hash.ts';
import { userNameLikeness } from '../../kit/users/user-names.ts';
import { phrase } from '../../kit/worded.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleReference, RuleType } from '../../ports/rule-type.ts';
import { isClearSecret } from '../shared/rule-types/secrets.ts';
import { userChangeProblems } from './change-problems.ts';
import { members } from './members.ts';
import { prepareUser } from './prepare.ts';
import { userRefusals } from './refusals.ts';

export const users: RuleType = {
  id: 'users',
  aliases: [],
  title: 'Users',
  description:
    'Who may use the service, with which roles and for which accounts and templates. Passwords and tokens are kept as hashes.',
  keyedBy: 'name',
  group: 'Kept with the rules',
  switched: false,
  uniqueNames: true,
  conditional: false,
  exportGroup: 'users',
  secretMembers: [
    'password',
    'pwdhash',
    'tfa_secret',
    'tfa_secret_crypted',
    'recovery_codes.hash',
    'api_tokens.hash',
    'api_tokens.token_hash',
  ],
  get schema() {
    return membersSchema(members);
  },
  check: (document) => [...memberProblems(document, members), ...tokenProblems(document)],
  changeProblems: userChangeProblems,
  nameLikeness: userNameLikeness,
  passwordMember: 'password',
  references: (document) => [...accountReferences(document), ...templateReferences(document)],
  rolesNamed: apiRoles,
  acts: () => ['lets a user log in'],
  prepare: prepareUser,
  holdsClearSecrets: (document) => isClearSecret(ownMember(document, 'tfa_secret')),
  refusals: userRefusals,
  accountsOf: (document) => accountReferences(document).map(({ target }) => target),
  templatesOf: (document) => templateReferences(document).map(({ target }) => target),
  visible: (document, { accounts, templates }) =>
    (accounts === null || isWithin(accountReferences(document), accounts)) &&
    (templates === null || isWithin(templateReferences(document), templates)),
};

/** A token without its hash opens nothing. */
function tokenProblems(document: RuleDocument): readonly ErrorDetail[] {
  return memberList(document, 'api_tokens').flatMap((token, index) =>
    isJsonObject(token) && tokenHashOf(token) === ''
      ? [{ path: `api_tokens.${index}.hash`, message: phrase`is required` }]
      : [],
  );
}

/** Whether a user is restricted, and to nothing but these. */
function isWithin(reached: readonly RuleReference[], own: readonly string[]): boolean {
  return reached.length > 0 && reached.every(({ target }) => own.includes(target));
}

function apiRoles(document: RuleDocument): readonly { readonly path: string; readonly role: string }[] {
  const list = ownMember(document, 'api_roles');
  if (!Array.isArray(list)) return [];
  return list.flatMap((role, index) => (typeof role === 'string' ? [{ path: `api_roles.${index}`, role }] : []));
}

function accountReferences(document: RuleDocument): readonly RuleReference[] {
  return references(document, 'restrict_to_accounts', 'accounts');
}

function templateReferences(document: RuleDocument): readonly RuleReference[] {
  return references(document, 'restrict_to_templates', 'cmdb_templates');
}

function references(document: RuleDocument, member: string, type: string): readonly RuleReference[] {
  const list = ownMember(document, member);
  if (!Array.isArray(list)) return [];
  return list.flatMap((item, index): RuleReference[] => {
    const target = referenceValue(item);
    return target === undefined ? [] : [{ path: `${member}.${index}`, type, target }];
  });
}
