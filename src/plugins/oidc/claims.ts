import { AppError } from '../../ports/errors.ts';
import type { ExternalPerson } from '../../ports/sign-in-method.ts';
import type { OidcOptions } from './options.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** The person of whom the claims are. */
export function personOf(
  claims: Claims,
  options: Pick<OidcOptions, 'groups_claim' | 'name_claim' | 'email_claim'>,
): ExternalPerson {
  const subject = claims.sub;
  const name = claimAt(claims, options.name_claim);
  if (typeof subject !== 'string' || subject === '')
    throw new AppError('forbidden', 'the provider does not say who you are');
  if (typeof name !== 'string' || name === '') {
    throw new AppError(
      'forbidden',
      `the provider sends no claim ${options.name_claim}, which is the user name; ask an administrator to set name_claim`,
    );
  }
  const email = claimAt(claims, options.email_claim);
  return {
    subject,
    name,
    // Whose address it is nobody has looked at.
    email: typeof email === 'string' && claims.email_verified !== false ? email : '',
    groups: groupsOf(claims, options.groups_claim) ?? [],
  };
}

/** `undefined` where the claims do not speak of groups, which is not the same as none. */
export function groupsOf(claims: Claims, claim: string): readonly string[] | undefined {
  const found = claimAt(claims, claim);
  if (typeof found === 'string') return [found];
  if (!Array.isArray(found)) return undefined;
  return found.filter((group): group is string => typeof group === 'string');
}

/** A claim by its name, else by its dotted path. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), claims);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
