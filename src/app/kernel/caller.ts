import type { AccountScope, AppError, HostScope, RuleWriter } from '../../ports/index.ts';

/** The entrance of a call: `cli` is a command on this machine, `remote` one on another. */
export type Entrance = 'rest' | 'cli' | 'remote' | 'mcp' | 'admin' | 'cron';

/** The caller of an operation, its entrance, and the rights of the caller. */
export interface Caller {
  /** User name, or the name of the local operator. */
  readonly name: string;
  readonly roles: readonly string[];
  readonly readOnly: boolean;
  readonly globalAdmin: boolean;
  /** Ids of the accounts the caller is restricted to; `null` when not restricted. */
  readonly scope: AccountScope;
  /** The same by name, for people. Names of accounts that no longer exist are kept. */
  readonly scopeNames: readonly string[] | null;
  /** Names and ids of the templates whose hosts the caller is restricted to; `null` when not restricted. */
  readonly templates: readonly string[] | null;
  /** The same by name, for people. Names of templates that no longer exist are kept. */
  readonly templateNames: readonly string[] | null;
  readonly entrance: Entrance;
  /** Client address; empty for local commands. */
  readonly address: string;
  readonly requestId: string;
  /** The address that was called, for messages: a URL path or a command. */
  readonly path: string;
  /** The token that the caller showed, where that is how the caller is known. What the caller holds is what it carries. */
  readonly token?: {
    readonly prefix: string;
    /** True when it carries less than its user holds. */
    readonly limited: boolean;
  };
  /** The person who requested what the service does by itself, if known. */
  readonly causedBy?: string;
  /** The session of the admin interface that the call came in by. */
  readonly session?: string;
  /** Why the caller is not known, if an operation decides itself who may call it. Such a caller has no rights. */
  readonly refusal?: AppError;
}

/** Roles as the interface names them. */
export const API_ROLES = ['all', 'objects', 'rules', 'syncer', 'automation', 'mcp', 'metrics'] as const;

/** The one role of the tool server. */
export const TOOL_ROLE = 'mcp';

/** An older name of `automation`, which users of earlier installations still hold. */
export const OLD_AUTOMATION_ROLE = 'ansible';

/** Whether the text names a role, of today or of old. */
export function isRole(role: string): boolean {
  return API_ROLES.some((known) => known === currentRole(role));
}

/** A role by its name of today. */
export function currentRole(role: string): string {
  return role === OLD_AUTOMATION_ROLE ? 'automation' : role;
}

/** The two restrictions that a caller may have. */
export type Limits = Pick<Caller, 'scope' | 'templates'>;

/** Whether there are hosts that the caller does not reach. */
export function isRestricted({ scope, templates }: Limits): boolean {
  return scope !== null || templates !== null;
}

/** The hosts that the caller reaches. */
export function hostScopeOf(caller: Limits): HostScope {
  return isRestricted(caller) ? { accounts: caller.scope, templates: caller.templates } : null;
}

/**
 * Returns the accounts all of whose hosts the caller reaches: a caller restricted to templates knows only some hosts of an
 * account, but an account's actions and counts concern all of them.
 */
export function wholeAccountsOf({ scope, templates }: Limits): AccountScope {
  return templates === null ? scope : [];
}

/** True when the caller holds one of the roles, or the role that grants all. */
export function holdsRole(
  caller: Pick<Caller, 'roles' | 'globalAdmin' | 'token'> & Limits,
  roles: readonly string[],
): boolean {
  return roles.some((wanted) => {
    // This depends on the user, and cannot be granted by a list of roles.
    if (wanted === 'admin') return caller.globalAdmin && !isRestricted(caller);
    if (wanted === 'administrator') return isAdministrator(caller);
    return caller.roles.some((role) => role === 'all' || currentRole(role) === wanted);
  });
}

/**
 * Whether the caller is an administrator of the whole service: a caller restricted to accounts or templates is not, whatever else
 * they hold, nor is one with a token that carries less than its user holds. Documents written by an administrator may make the
 * machine act.
 */
export function isAdministrator(caller: Pick<Caller, 'roles' | 'globalAdmin' | 'token'> & Limits): boolean {
  return (
    !isRestricted(caller) && caller.token?.limited !== true && (caller.globalAdmin || caller.roles.includes('all'))
  );
}

/** Returns whose share of heavy work a call counts towards: that of the user, or of the address for an unknown caller. */
export function payerOf(caller: Caller): string {
  if (caller.refusal !== undefined) return `address ${caller.address}`;
  return caller.entrance === 'cron' ? 'the service itself' : `user ${caller.name}`;
}

/** Returns the rights of the caller in the form that rule types need. */
export function writerOf(caller: Caller): RuleWriter {
  return {
    name: caller.name,
    roles: caller.roles,
    globalAdmin: caller.globalAdmin,
    accounts: caller.scopeNames,
    templates: caller.templateNames,
  };
}

/** Returns the person at the machine: anyone who can run a command on the database may do everything. */
export function localOperator(details: { name: string; path: string; requestId: string; entrance?: Entrance }): Caller {
  return {
    name: details.name,
    roles: ['all'],
    readOnly: false,
    globalAdmin: true,
    scope: null,
    scopeNames: null,
    templates: null,
    templateNames: null,
    entrance: details.entrance ?? 'cli',
    address: '',
    requestId: details.requestId,
    path: details.path,
  };
}

/** Returns a caller without valid credentials of a user. Holds no rights. */
export function anonymousCaller(details: {
  readonly address: string;
  readonly requestId: string;
  readonly path: string;
  readonly refusal: AppError;
}): Caller {
  return {
    name: 'anonymous',
    roles: [],
    readOnly: true,
    globalAdmin: false,
    scope: [],
    scopeNames: [],
    templates: [],
    templateNames: [],
    entrance: 'rest',
    ...details,
  };
}
