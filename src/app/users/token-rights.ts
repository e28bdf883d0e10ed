import { currentRole } from '../kernel/caller.ts';
import type { User, UserToken } from './user.ts';

/** The rights of a token, apart from accounts: never more than the user has at that moment, or than the token carries. */
export interface TokenRights {
  readonly roles: readonly string[];
  readonly readOnly: boolean;
  readonly globalAdmin: boolean;
}

export function tokenRights(user: User, token: UserToken): TokenRights {
  return {
    roles: token.roles === null ? user.roles : token.roles.filter((role) => userHolds(user, role)),
    readOnly: user.readOnly || token.readOnly,
    // A part of the roles or of the hosts is not the administration of everything.
    globalAdmin:
      user.globalAdmin && token.roles === null && token.restrictedTo === null && token.restrictedToTemplates === null,
  };
}

/** Whether the token carries less than its user holds. */
export function isLimited(token: UserToken, user: Pick<User, 'roles' | 'globalAdmin' | 'readOnly'>): boolean {
  const { roles, readOnly, restrictedTo, restrictedToTemplates } = token;
  const lacksRoles = roles !== null && (user.globalAdmin || !user.roles.every((role) => userHolds({ roles }, role)));
  return lacksRoles || (readOnly && !user.readOnly) || restrictedTo !== null || restrictedToTemplates !== null;
}

export function userHolds({ roles }: Pick<User, 'roles'>, role: string): boolean {
  return roles.some((held) => held === 'all' || currentRole(held) === currentRole(role));
}

/** The names that both reach; `null` stands for all of them, and an empty list for none. */
export function sharedNames(
  ofUser: readonly string[] | null,
  ofToken: readonly string[] | null,
): readonly string[] | null {
  if (ofUser === null || ofToken === null) return ofToken ?? ofUser;
  return ofUser.filter((name) => ofToken.includes(name));
}
