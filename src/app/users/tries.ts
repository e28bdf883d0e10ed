import { hash } from 'node:crypto';
import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import { type TryServices, takePlace } from '../kernel/places.ts';
import type { User } from './user.ts';

/** Codes that are looked at of one user in this time, right or wrong, on all nodes together: of a million few are guessed. */
const CODES = { most: 10, seconds: 15 * 60 };
/** Wrong secrets of one user, from all addresses and on all nodes together. */
export const WRONG_SECRETS = { most: 100, seconds: 60 * 60 };

/** Takes one of the tries that are left for codes of the user. Throws `rate_limited` when there is none. */
export async function takeTry(services: TryServices, { id }: Pick<User, 'id'>): Promise<void> {
  if (await takePlace(services, `second factor ${id}`, CODES)) return;
  throw new AppError(
    'rate_limited',
    worded`too many codes were tried for this user; wait a quarter of an hour, or log in with a passkey`,
    { retryAfterSeconds: CODES.seconds },
  );
}

/** Notes a wrong secret. False when as many as are heard were noted before. What was typed for a name may be a password, and is not kept. */
export function noteWrongSecret(services: TryServices, user: string): Promise<boolean> {
  return takePlace(services, `wrong secret ${hash('sha256', user, 'base64')}`, WRONG_SECRETS);
}
