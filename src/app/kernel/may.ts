import { type Caller, holdsRole } from './caller.ts';
import type { AnyOperation } from './operation.ts';

/** What somebody holds. */
export type Rights = Pick<Caller, 'roles' | 'globalAdmin' | 'readOnly' | 'scope'>;

/** What an operation declares of who may call it. */
export type Access = Pick<AnyOperation, 'effect' | 'roles' | 'acrossAccounts'>;

/** Why somebody may not: no role for it, only reading, or a restriction to accounts. */
export type Hindrance = 'role_missing' | 'read_only' | 'forbidden';

/**
 * Whether somebody may call an operation: why not, or `undefined`. It is asked by the executor before each call, and by the
 * session of the pages, so that they offer what will not be refused.
 */
export function hindranceOf(rights: Rights, { effect, roles, acrossAccounts }: Access): Hindrance | undefined {
  if (roles === 'decided-by-operation') return undefined;
  if (!holdsRole(rights, roles)) return 'role_missing';
  if (effect !== 'read' && rights.readOnly) return 'read_only';
  return acrossAccounts === true && rights.scope !== null ? 'forbidden' : undefined;
}
