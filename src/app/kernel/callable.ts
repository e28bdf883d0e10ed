import type { AnyOperation } from './operation.ts';

/**
 * Whether commands on other machines may call it, by its name and with credentials of a user. What pages or REST offer can be called;
 * else it says so itself, or it works on the machine of the store: files there, the store as a whole, the key. What takes other
 * credentials than a user's is not for commands.
 */
export function isCallable({ roles, at }: Pick<AnyOperation, 'roles' | 'at'>): boolean {
  return roles !== 'decided-by-operation' && (at.page === true || at.rest !== undefined || at.remote === true);
}
