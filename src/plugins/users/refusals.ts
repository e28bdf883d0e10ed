import { isDeepStrictEqual } from 'node:util';
import { detailOf, phrase, worded } from '../../app/kernel/worded.ts';
import { memberFlag, memberText, ownMember, referenceValue } from '../../app/rules/document/members.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleWriter } from '../../ports/rule-type.ts';

/**
 * Nobody grants what they do not hold, neither to others nor to themselves; and who holds more than the writer is not
 * changed by the writer at all, because a new password is as good as a new role.
 */
export function userRefusals(
  document: RuleDocument,
  existing: RuleDocument | undefined,
  writer: RuleWriter,
): readonly ErrorDetail[] {
  const gains = [
    ...adminGains(document, existing, writer),
    ...loginGains(document, existing, writer),
    ...roleGains('api_roles', document, existing, writer),
    ...roleGains('roles', document, existing, writer),
    ...LIMITS.flatMap((limit) => scopeGains(limit, document, existing, writer)),
  ];
  if (gains.length > 0 || existing === undefined || !holdsMore(existing, writer)) return gains;
  return isSame(document, existing)
    ? []
    : [
        detailOf(
          'name',
          worded`user ${{ name: memberText(existing, 'name') }} has more rights than you and can only be changed by a user with at least the same rights`,
        ),
      ];
}

function adminGains(document: RuleDocument, existing: RuleDocument | undefined, writer: RuleWriter): ErrorDetail[] {
  const gained = memberFlag(document, 'global_admin') && !(existing && memberFlag(existing, 'global_admin'));
  return gained && !writer.globalAdmin
    ? [{ path: 'global_admin', message: phrase`only an administrator can create administrators` }]
    : [];
}

/** Who says who a user is elsewhere says who may log in as that user. */
function loginGains(document: RuleDocument, existing: RuleDocument | undefined, writer: RuleWriter): ErrorDetail[] {
  const [before, after] = [
    existing === undefined ? undefined : ownMember(existing, 'sign_in'),
    ownMember(document, 'sign_in'),
  ];
  return writer.globalAdmin || isDeepStrictEqual(before, after)
    ? []
    : [{ path: 'sign_in', message: phrase`only an administrator can say who a user is in another system` }];
}

type RoleMember = 'api_roles' | 'roles';

function roleGains(
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
function holds({ roles }: RuleWriter, member: RoleMember, role: string): boolean {
  if (member === 'roles') return false;
  const name = neutral(role);
  return roles.some((held) => held === 'all' || neutral(held) === name);
}

function neutral(role: string): string {
  return role === 'ansible' ? 'automation' : role;
}

/** What a user may be restricted to, how the writer's own is called, and what is wrong with a restriction. */
const LIMITS = [
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

function isSame(document: RuleDocument, existing: RuleDocument): boolean {
  return isDeepStrictEqual({ ...document, _id: null }, { ...existing, _id: null });
}

function texts(document: RuleDocument, member: string): readonly string[] {
  const value = ownMember(document, member);
  return Array.isArray(value) ? value.flatMap((item) => referenceValue(item) ?? []) : [];
}
