import type { API_ROLES } from '../../../../app/kernel/caller.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, type Session } from '../calls/session.ts';

export type Role = (typeof API_ROLES)[number];
export type User = OfferedOutput<'users/show-user'>;

/** The roles, and what each is for. */
export const ROLES: Readonly<Record<Role, string>> = {
  all: 'everything below',
  objects: 'hosts, inventory sections and relations',
  rules: 'rules: read, import, export',
  syncer: 'logs, cron groups, counters',
  automation: 'inventories',
  mcp: 'the tool server',
  metrics: 'the metrics of the service',
};

export function isRole(name: string): name is Role {
  return Object.hasOwn(ROLES, name);
}

/** What a person gives a user. */
export interface Rights {
  readonly roles: readonly Role[];
  readonly admin: boolean;
  readonly read_only: boolean;
  /** `null`: all accounts. */
  readonly accounts: readonly string[] | null;
}

export const NO_RIGHTS: Rights = { roles: [], admin: false, read_only: false, accounts: null };

export function rightsOf(user: User): Rights {
  return {
    roles: user.roles.flatMap((role) => (isRole(role) ? [role] : role === 'ansible' ? ['automation' as const] : [])),
    admin: user.global_admin,
    read_only: user.read_only,
    accounts: user.accounts,
  };
}

/** Why this person cannot change users; `undefined` when they can. */
export function changeDenial(session: Session): string | undefined {
  return may(session, 'users/change-user') ? undefined : 'You may only read, so you cannot change users.';
}

/** A restriction to no account at all would be none, and an administrator has none. */
export function rightsProblem({ accounts, admin }: Rights): string | undefined {
  if (admin && accounts !== null) return 'an administrator reaches all accounts';
  return accounts?.length === 0 ? 'choose at least one account, or all of them' : undefined;
}

const FIELDS: readonly (readonly [start: string, field: string])[] = [
  ['api_roles', 'roles'],
  ['restrict_to_accounts', 'accounts'],
  ['global_admin', 'admin'],
  ['readonly', 'read_only'],
];

/** The field of a form that a path of the service is about: `users.0.restrict_to_accounts.1` is about `accounts`. */
export function rightsFieldOf(path: string): string {
  const inner = path.replace(/^users\.\d+\./, '');
  return FIELDS.find(([start]) => inner === start || inner.startsWith(`${start}.`))?.[1] ?? inner.replace(/\.\d+$/, '');
}
