import { isDeepStrictEqual } from 'node:util';
import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import {
  isSameDocument,
  memberFlag,
  memberList,
  memberText,
  ownMember,
  referenceValue,
} from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { passwordHashProblem } from '../../kit/users/password-hash.ts';
import { tokenHashOf } from '../../kit/users/token-hash.ts';
import { userNameLikeness, userNameProblem } from '../../kit/users/user-names.ts';
import { detailOf, phrase, worded } from '../../kit/worded.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RulePreparation, RuleReference, RuleType, RuleWriter } from '../../ports/rule-type.ts';
import { holds, LIMITS, rightsGains, roleGains, texts } from '../shared/rule-types/rights-gains.ts';
import { isClearSecret, sealClearMembers, sealMember } from '../shared/rule-types/secrets.ts';
import { members } from './members.ts';

export const users: RuleType = {
  id: 'users',
  aliases: [],
  title: 'Users',
  description:
    'Users of the service, with their roles, accounts and templates. Passwords and tokens are kept as hashes.',
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

/** Users of old keep their names and rights, so that their documents can be posted back; what is new is held to the rules of today. */
function userChangeProblems(document: RuleDocument, existing: RuleDocument | undefined): readonly ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const name = memberText(document, 'name');
  const problem = existing !== undefined && memberText(existing, 'name') === name ? undefined : userNameProblem(name);
  if (problem !== undefined) problems.push(detailOf('name', problem));
  const hash = memberText(document, 'pwdhash');
  const costs =
    existing !== undefined && memberText(existing, 'pwdhash') === hash ? undefined : passwordHashProblem(hash);
  if (costs !== undefined) {
    problems.push(
      detailOf(
        'pwdhash',
        worded`${{ problem: costs }}; give the user a new password instead, in clear text as "password"`,
      ),
    );
  }
  if (isRestrictedAdministrator(document) && !(existing && isRestrictedAdministrator(existing))) {
    problems.push({
      path: 'restrict_to_accounts',
      message: phrase`an administrator reaches all accounts: remove the restriction, or global_admin`,
    });
  }
  if (isLimitedAdministrator(document) && !(existing && isLimitedAdministrator(existing))) {
    problems.push({
      path: 'restrict_to_templates',
      message: phrase`an administrator reaches the hosts of all templates: remove the restriction, or global_admin`,
    });
  }
  return problems;
}

function isRestrictedAdministrator(document: RuleDocument): boolean {
  return memberFlag(document, 'global_admin') && memberList(document, 'restrict_to_accounts').length > 0;
}

function isLimitedAdministrator(document: RuleDocument): boolean {
  return memberFlag(document, 'global_admin') && memberList(document, 'restrict_to_templates').length > 0;
}

/** A clear password becomes its hash, and a clear secret of a second factor is encrypted. */
async function prepareUser(document: RuleDocument, { hashPassword, seal }: RulePreparation): Promise<RuleDocument> {
  return sealMember(await sealClearMembers(document, ['tfa_secret'], seal), 'password', 'pwdhash', hashPassword);
}

/**
 * Users cannot grant rights that they do not hold, neither to others nor to themselves; and a user with more rights than the
 * writer cannot be changed by the writer at all, because a new password is as good as a new role.
 */
function userRefusals(
  document: RuleDocument,
  existing: RuleDocument | undefined,
  writer: RuleWriter,
): readonly ErrorDetail[] {
  const gains = [
    ...rightsGains(document, existing, writer),
    ...loginGains(document, existing, writer),
    ...roleGains('roles', document, existing, writer),
  ];
  if (gains.length > 0 || existing === undefined || !holdsMore(existing, writer)) return gains;
  return isSameDocument(document, existing)
    ? []
    : [
        detailOf(
          'name',
          worded`user ${{ name: memberText(existing, 'name') }} has more rights than you and can only be changed by a user with at least the same rights`,
        ),
      ];
}

/** The identity of a user in other systems determines who may log in as that user. */
function loginGains(document: RuleDocument, existing: RuleDocument | undefined, writer: RuleWriter): ErrorDetail[] {
  const [before, after] = [
    existing === undefined ? undefined : ownMember(existing, 'sign_in'),
    ownMember(document, 'sign_in'),
  ];
  return writer.globalAdmin || isDeepStrictEqual(before, after)
    ? []
    : [{ path: 'sign_in', message: phrase`only an administrator can say who a user is in another system` }];
}

function holdsMore(existing: RuleDocument, writer: RuleWriter): boolean {
  if (writer.globalAdmin && writer.accounts === null && writer.templates === null) return false;
  if (memberFlag(existing, 'global_admin') && !writer.globalAdmin) return true;
  if (!writer.globalAdmin) {
    if (texts(existing, 'api_roles').some((role) => !holds(writer, 'api_roles', role))) return true;
    if (texts(existing, 'roles').length > 0) return true;
  }
  return LIMITS.some(({ member, held }) => {
    const own = writer[held];
    if (own === null) return false;
    const reached = texts(existing, member);
    return reached.length === 0 || reached.some((name) => !own.includes(name));
  });
}
