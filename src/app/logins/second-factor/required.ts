import { holdsRole } from '../../kernel/caller.ts';
import type { Config } from '../../kernel/config/schema.ts';
import type { User } from '../../users/user.ts';

export function hasSecondFactor({ secondFactor }: Pick<User, 'secondFactor'>): boolean {
  return secondFactor.authenticator !== '' || secondFactor.passkeys.length > 0;
}

/** Whether the password alone is not enough. Who logs in elsewhere shows there what is wanted there. */
export function needsSecondFactor(user: User, policy: Config['REQUIRE_SECOND_FACTOR']): boolean {
  if (user.login !== undefined) return false;
  if (hasSecondFactor(user) || policy === 'everybody') return true;
  return policy === 'administrators' && isAnyAdministrator(user);
}

/** Whoever holds all rights, restricted to some accounts too: what protects many people's hosts must not depend on how many. */
function isAnyAdministrator({ roles, globalAdmin }: User): boolean {
  return globalAdmin || holdsRole({ roles, globalAdmin, scope: null, templates: null }, ['administrator']);
}
