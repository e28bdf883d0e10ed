import type { AccountScope, AppError, HostScope, RuleWriter } from '../../ports/index.ts';

/** Where a call came in: `cli` is a command on this machine, `remote` one on another. */
export type Entrance = 'rest' | 'cli' | 'remote' | 'mcp' | 'admin' | 'cron';

/** Who calls an operation, from where, and what the caller holds. */
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
  /** What the caller addressed, for messages: a URL path or a command. */
  readonly path: string;
  /** The token that the caller showed, where that is how the caller is known. What the caller holds is what it carries. */
  readonly token?: {
    readonly prefix: string;
    /** True when it carries less than its user holds. */
    readonly limited: boolean;
  };
  /** Who asked for what the service does by itself, where that is known. */
  readonly causedBy?: string;
  /** The session of the admin interface that the call came in by. */
  readonly session?: string;
  /** Why nobody is known as the caller, where an operation decides itself who may call it. Such a caller holds nothing. */
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
 * The accounts whose hosts the caller reaches all together: whoever is restricted to templates knows of some hosts of an account
 * only, and what an account does or counts is about all of them.
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
    // What a user is and no list of roles gives, whatever stands in it.
    if (wanted === 'admin') return caller.globalAdmin && !isRestricted(caller);
    if (wanted === 'administrator') return isAdministrator(caller);
    return caller.roles.some((role) => role === 'all' || currentRole(role) === wanted);
  });
}

/**
 * An administrator of the whole service: who is restricted to accounts or templates is none, whatever else is held, and no token that carries less
 * than its user holds makes one. What such a caller writes may make the machine act.
 */
export function isAdministrator(caller: Pick<Caller, 'roles' | 'globalAdmin' | 'token'> & Limits): boolean {
  return (
    !isRestricted(caller) && caller.token?.limited !== true && (caller.globalAdmin || caller.roles.includes('all'))
  );
}

/** Whose share of heavy work the calls of somebody count to: the user's, or that of the address of who is nobody known. */
export function payerOf(caller: Caller): string {
  if (caller.refusal !== undefined) return `address ${caller.address}`;
  return caller.entrance === 'cron' ? 'the service itself' : `user ${caller.name}`;
}

/** What the caller holds, as rule types ask for it. */
export function writerOf(caller: Caller): RuleWriter {
  return {
    name: caller.name,
    roles: caller.roles,
    globalAdmin: caller.globalAdmin,
    accounts: caller.scopeNames,
    templates: caller.templateNames,
  };
}

/** The person at the machine: whoever can run a command on the database may do everything. */
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

/** Somebody who showed no credentials of a user, or none that are valid. Holds nothing. */
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
