import { t } from '@lingui/core/macro';
import type { API_ROLES } from '../../../../app/kernel/caller.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, type Session } from '../calls/session.ts';

export type Role = (typeof API_ROLES)[number];
export type User = OfferedOutput<'users/show-user'>;

/** The roles with their purposes. */
export const ROLES: Readonly<Record<Role, string>> = {
  all: t`everything below`,
  objects: t`hosts, inventory sections and relations`,
  rules: t`rules: read, import, export`,
  syncer: t`logs, cron groups, counters`,
  automation: t`inventories`,
  mcp: t`the tool server`,
  metrics: t`the metrics of the service`,
};

export function isRole(name: string): name is Role {
  return Object.hasOwn(ROLES, name);
}

/** Rights given to a user. */
export interface Rights {
  readonly roles: readonly Role[];
  readonly admin: boolean;
  readonly read_only: boolean;
  /** `null`: all accounts. */
  readonly accounts: readonly string[] | null;
  /** `null`: hosts of any template and of none. */
  readonly templates: readonly string[] | null;
}

export const NO_RIGHTS: Rights = { roles: [], admin: false, read_only: false, accounts: null, templates: null };

/** Owner of tokens, with their rights. */
export interface TokenHolder {
  readonly name: string;
  readonly roles: readonly string[];
  readonly global_admin: boolean;
  readonly read_only: boolean;
  readonly accounts: readonly string[] | null;
  readonly templates: readonly string[] | null;
}

export function rightsOf(user: Omit<TokenHolder, 'name'>): Rights {
  return {
    roles: user.roles.flatMap((role) => (isRole(role) ? [role] : role === 'ansible' ? ['automation' as const] : [])),
    admin: user.global_admin,
    read_only: user.read_only,
    accounts: user.accounts,
    templates: user.templates,
  };
}

/** Why this person cannot change users; `undefined` when they can. */
export function changeDenial(session: Session): string | undefined {
  return may(session, 'users/change-user') ? undefined : t`You may only read, so you cannot change users.`;
}

/** Returns the problems by field. An empty restriction would restrict nothing, and an administrator has none. */
export function rightsProblems({ accounts, templates, admin }: Rights): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  if (admin && accounts !== null) problems.set('accounts', t`an administrator reaches all accounts`);
  else if (accounts?.length === 0) problems.set('accounts', t`choose at least one account, or all of them`);
  if (admin && templates !== null) problems.set('templates', t`an administrator reaches hosts of all templates`);
  else if (templates?.length === 0) problems.set('templates', t`name at least one template, or take all hosts`);
  return problems;
}

export const NO_PROBLEMS: ReadonlyMap<string, string> = new Map();

const FIELDS: readonly (readonly [start: string, field: string])[] = [
  ['api_roles', 'roles'],
  ['restrict_to_accounts', 'accounts'],
  ['restrict_to_templates', 'templates'],
  ['global_admin', 'admin'],
  ['readonly', 'read_only'],
];

/** The field of a form that a path of the service is about: `users.0.restrict_to_accounts.1` is about `accounts`. */
export function rightsFieldOf(path: string): string {
  const inner = path.replace(/^users\.\d+\./, '');
  return FIELDS.find(([start]) => inner === start || inner.startsWith(`${start}.`))?.[1] ?? inner.replace(/\.\d+$/, '');
}
