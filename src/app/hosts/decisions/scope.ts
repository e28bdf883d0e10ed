import type { AccountScope } from '../../../ports/index.ts';
import type { HostState } from './host-state.ts';

/** Whether a caller of this scope reaches the hosts of an account. A host without an account is for those who reach all. */
export function inScope(accountId: string | null, scope: AccountScope): boolean {
  return scope === null || (accountId !== null && scope.includes(accountId));
}

export type ScopeTest = (accountId: string | null) => boolean;

/** `inScope` for many hosts. */
export function scopeTest(scope: AccountScope): ScopeTest {
  if (scope === null) return () => true;
  const accounts = new Set(scope);
  return (accountId) => accountId !== null && accounts.has(accountId);
}

type Reached = Pick<HostState, 'accountId' | 'archive'>;

/** Whether there is an active host in scope. */
export function isActive<Host extends Reached>(host: Host | undefined, reaches: ScopeTest): host is Host {
  return host !== undefined && host.archive === null && reaches(host.accountId);
}

/** Whether there is an archived host in scope. */
export function isArchived<Host extends Reached>(host: Host | undefined, reaches: ScopeTest): host is Host {
  return host !== undefined && host.archive !== null && reaches(host.accountId);
}
