import { type Caller, holdsRole, isRestricted } from './caller.ts';
import type { AnyOperation } from './operation.ts';

/** The rights of a caller. */
export type Rights = Pick<Caller, 'roles' | 'globalAdmin' | 'readOnly' | 'scope' | 'templates'>;

/** The access rules that an operation declares. */
export type Access = Pick<AnyOperation, 'effect' | 'roles' | 'acrossAccounts'>;

/** Why a call is denied: a missing role, a read-only user, or a restriction to accounts or templates. */
export type Denial = 'role_missing' | 'read_only' | 'forbidden';

/**
 * Why a caller may not call an operation; `undefined` when it may. The executor asks before each call, and the session of the
 * pages asks for every operation, so that they offer only what will not be refused.
 */
export function denialOf(rights: Rights, { effect, roles, acrossAccounts }: Access): Denial | undefined {
  if (roles === 'decided-by-operation') return undefined;
  if (!holdsRole(rights, roles)) return 'role_missing';
  if (effect !== 'read' && rights.readOnly) return 'read_only';
  return acrossAccounts === true && isRestricted(rights) ? 'forbidden' : undefined;
}
