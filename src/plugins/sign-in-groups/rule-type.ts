import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { memberFlag, memberList, ownMember, referenceValue } from '../../kit/document/members.ts';
import { phrase } from '../../kit/worded.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';
import type { RuleReference, RuleType, RuleWriter } from '../../ports/rule-type.ts';
import { rightsGains } from '../shared/rule-types/rights-gains.ts';

const ROLES = ['all', 'objects', 'rules', 'syncer', 'automation', 'mcp', 'metrics'];

const members: RuleMembers = {
  groups: {
    kind: 'list',
    required: true,
    description: 'Groups as the other system writes them; one of them is enough.',
    items: { kind: 'text', required: true, description: 'One group.' },
  },
  methods: {
    kind: 'list',
    description: 'Accounts for logins that it applies to; empty for all.',
    items: { kind: 'reference', required: true, description: 'Name or id of an account.' },
  },
  api_roles: {
    kind: 'list',
    description: 'Rights of these people.',
    items: { kind: 'choice', choices: ROLES, description: 'One role.' },
  },
  global_admin: { kind: 'flag', description: 'True makes them administrators.' },
  readonly: { kind: 'flag', description: 'True lets them read only.' },
  restrict_to_accounts: {
    kind: 'list',
    description: 'Accounts whose hosts they reach; empty for all.',
    items: { kind: 'reference', required: true, description: 'Name or id of an account.' },
  },
  restrict_to_templates: {
    kind: 'list',
    description: 'Templates whose hosts they reach; empty for all. With accounts too, both must hold.',
    items: { kind: 'reference', required: true, description: 'Hostname or id of a template.' },
  },
};

export const signInGroups: RuleType = {
  id: 'sign_in_groups',
  aliases: [],
  title: 'Groups that may log in',
  description:
    'Say what people may do who log in with a directory or an identity provider: the first one, in order, that names a group of the person decides.',
  keyedBy: 'name',
  uniqueNames: true,
  conditional: false,
  exportGroup: 'users',
  secretMembers: [],
  get schema() {
    return membersSchema(members);
  },
  check: (document) => [...memberProblems(document, members), ...emptyProblems(document), ...adminProblems(document)],
  references: (document) => [
    ...references(document, 'methods', 'accounts'),
    ...references(document, 'restrict_to_accounts', 'accounts'),
    ...references(document, 'restrict_to_templates', 'cmdb_templates'),
  ],
  rolesNamed: (document) =>
    memberList(document, 'api_roles').flatMap((role, index) =>
      typeof role === 'string' ? [{ path: `api_roles.${index}`, role }] : [],
    ),
  acts: () => ['lets people of a group log in'],
  restricts: {
    part: ({ _id, ...document }) => document,
    exceeds: (document, writer) =>
      memberFlag(document, 'enabled') && rightsGains(document, undefined, writer).length > 0,
  },
  refusals: mappingRefusals,
};

/**
 * Users cannot give groups rights that they do not hold themselves, and widening a mapping to more people counts as granting all
 * of its rights again.
 */
function mappingRefusals(
  document: RuleDocument,
  existing: RuleDocument | undefined,
  writer: RuleWriter,
): readonly ErrorDetail[] {
  const gives = (member: string): string => JSON.stringify(ownMember(existing ?? {}, member) ?? null);
  const isWider =
    existing === undefined ||
    (memberFlag(document, 'enabled') && !memberFlag(existing, 'enabled')) ||
    ['groups', 'methods'].some((member) => JSON.stringify(ownMember(document, member) ?? null) !== gives(member));
  return rightsGains(document, isWider ? undefined : existing, writer);
}

function emptyProblems(document: RuleDocument): readonly ErrorDetail[] {
  return ownMember(document, 'groups') !== undefined && memberList(document, 'groups').length === 0
    ? [{ path: 'groups', message: phrase`must name a group; a mapping without a group lets no one in` }]
    : [];
}

function adminProblems(document: RuleDocument): readonly ErrorDetail[] {
  if (!memberFlag(document, 'global_admin')) return [];
  return ['restrict_to_accounts', 'restrict_to_templates'].flatMap((member) =>
    memberList(document, member).length === 0
      ? []
      : [{ path: member, message: phrase`administrators reach everything: remove the restriction, or global_admin` }],
  );
}

function references(document: RuleDocument, member: string, type: string): readonly RuleReference[] {
  return memberList(document, member).flatMap((item, index): RuleReference[] => {
    const target = referenceValue(item);
    return target === undefined ? [] : [{ path: `${member}.${index}`, type, target }];
  });
}
