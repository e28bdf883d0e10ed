import { holdsRole } from '../../kernel/caller.ts';
import type { Config } from '../../kernel/config/schema.ts';
import type { User } from '../../users/user.ts';

export function hasSecondFactor({ secondFactor }: Pick<User, 'secondFactor'>): boolean {
  return secondFactor.authenticator !== '' || secondFactor.passkeys.length > 0;
}

/** Whether the password alone is not enough. A user of another system shows further factors there. */
export function needsSecondFactor(user: User, policy: Config['REQUIRE_SECOND_FACTOR']): boolean {
  if (user.login !== undefined) return false;
  if (hasSecondFactor(user) || policy === 'everybody') return true;
  return policy === 'administrators' && isAnyAdministrator(user);
}

/** Whether a user holds all rights, restricted to some accounts or not: their number must not weaken the protection. */
function isAnyAdministrator({ roles, globalAdmin }: User): boolean {
  return globalAdmin || holdsRole({ roles, globalAdmin, scope: null, templates: null }, ['administrator']);
}
