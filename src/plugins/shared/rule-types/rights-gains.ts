import { memberFlag, ownMember, referenceValue } from '../../../kit/document/members.ts';
import { detailOf, phrase, worded } from '../../../kit/worded.ts';
import type { ErrorDetail } from '../../../ports/errors.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleWriter } from '../../../ports/rule-type.ts';

/**
 * Returns rights that a document would grant although the writer does not hold them. Rights that `existing` grants already do not
 * count.
 */
export function rightsGains(
  document: RuleDocument,
  existing: RuleDocument | undefined,
  writer: RuleWriter,
): readonly ErrorDetail[] {
  return [
    ...adminGains(document, existing, writer),
    ...roleGains('api_roles', document, existing, writer),
    ...LIMITS.flatMap((limit) => scopeGains(limit, document, existing, writer)),
  ];
}

function adminGains(document: RuleDocument, existing: RuleDocument | undefined, writer: RuleWriter): ErrorDetail[] {
  const gained = memberFlag(document, 'global_admin') && !(existing && memberFlag(existing, 'global_admin'));
  return gained && !writer.globalAdmin
    ? [{ path: 'global_admin', message: phrase`only an administrator can create administrators` }]
    : [];
}

type RoleMember = 'api_roles' | 'roles';

export function roleGains(
  member: RoleMember,
  document: RuleDocument,
  existing: RuleDocument | undefined,
  writer: RuleWriter,
): ErrorDetail[] {
  if (writer.globalAdmin) return [];
  const held = new Set(existing ? texts(existing, member) : []);
  return texts(document, member).flatMap((role, index) =>
    held.has(role) || holds(writer, member, role)
      ? []
      : [detailOf(`${member}.${index}`, worded`you do not have the role ${{ role }}`)],
  );
}

/** Roles of the admin interface are not the writer's to give: what the writer holds of them is not known here. */
export function holds({ roles }: RuleWriter, member: RoleMember, role: string): boolean {
  if (member === 'roles') return false;
  const name = neutral(role);
  return roles.some((held) => held === 'all' || neutral(held) === name);
}

function neutral(role: string): string {
  return role === 'ansible' ? 'automation' : role;
}

/** Restrictions of users: their member, the writer's equivalent, and the errors for an invalid restriction. */
export const LIMITS = [
  {
    member: 'restrict_to_accounts',
    held: 'accounts',
    none: phrase`must name accounts of yours: you do not reach all of them`,
    outside: (name: string) => worded`account ${{ name }} is outside of your accounts`,
  },
  {
    member: 'restrict_to_templates',
    held: 'templates',
    none: phrase`must name templates of yours: you do not reach all of them`,
    outside: (name: string) => worded`template ${{ name }} is outside of your templates`,
  },
] as const;

type Limit = (typeof LIMITS)[number];

function scopeGains(
  { member, held, none, outside }: Limit,
  document: RuleDocument,
  existing: RuleDocument | undefined,
  writer: RuleWriter,
): ErrorDetail[] {
  const own = writer[held];
  if (own === null) return [];
  const wanted = texts(document, member);
  const known = existing === undefined ? undefined : texts(existing, member);
  if (wanted.length === 0) {
    return known?.length === 0 ? [] : [{ path: member, message: none }];
  }
  const reachable = new Set([...own, ...(known ?? [])]);
  if (known?.length === 0) return [];
  return wanted.flatMap((name, index) => (reachable.has(name) ? [] : [detailOf(`${member}.${index}`, outside(name))]));
}

export function texts(document: RuleDocument, member: string): readonly string[] {
  const value = ownMember(document, member);
  return Array.isArray(value) ? value.flatMap((item) => referenceValue(item) ?? []) : [];
}
