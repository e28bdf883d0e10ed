import { templatesOf } from '../../../kit/document/templates.ts';
import type { HostReach, HostRecord, HostScope } from '../../../ports/index.ts';
import type { HostState } from './host-state.ts';

/** The members that decide which callers reach a host. `members` is JSON text, read only for callers limited to templates. */
interface Placed {
  readonly accountId: string | null;
  readonly members: string;
}

export type ScopeTest = (host: Placed) => boolean;

/** Whether a caller of this scope reaches a host. One without an account is for those who reach all accounts. */
export function scopeTest(scope: HostScope): ScopeTest {
  const accounts = scope?.accounts == null ? null : new Set(scope.accounts);
  const templates = scope?.templates == null ? null : new Set(scope.templates);
  if (accounts === null && templates === null) return () => true;
  return (host) => {
    if (accounts !== null && (host.accountId === null || !accounts.has(host.accountId))) return false;
    return templates === null || templatesOf(host.members).some((template) => templates.has(template));
  };
}

/** The same of a host as it once was. */
export function wasInScope({ accountId, templates }: HostReach, scope: HostScope): boolean {
  const { accounts = null, templates: reached = null } = scope ?? {};
  if (accounts !== null && (accountId === null || !accounts.includes(accountId))) return false;
  return reached === null || templates.some((template) => reached.includes(template));
}

/** The same for a record as it is read. */
export function inScope({ accountId, members }: Pick<HostRecord, 'accountId' | 'members'>, scope: HostScope): boolean {
  return scope === null || scopeTest(scope)({ accountId, members: members.text });
}

type Reached = Pick<HostState, 'archive'> & Placed;

/** Whether there is an active host in scope. */
export function isActive<Host extends Reached>(host: Host | undefined, reaches: ScopeTest): host is Host {
  return host !== undefined && host.archive === null && reaches(host);
}

/** Whether there is an archived host in scope. */
export function isArchived<Host extends Reached>(host: Host | undefined, reaches: ScopeTest): host is Host {
  return host !== undefined && host.archive !== null && reaches(host);
}
