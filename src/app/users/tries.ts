import { hash } from 'node:crypto';
import { AppError, type Clock, type Storage } from '../../ports/index.ts';
import { worded } from '../kernel/worded.ts';
import type { User } from './user.ts';

interface TryServices {
  readonly storage: Pick<Storage, 'access'>;
  readonly clock: Clock;
}

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

/** Takes a free place of so many, each for so long. False when none is free. It begins anywhere: most are free until nearly all are taken. */
async function takePlace(
  { storage, clock }: TryServices,
  name: string,
  { most, seconds }: { readonly most: number; readonly seconds: number },
): Promise<boolean> {
  const now = clock.now();
  const until = new Date(now.getTime() + seconds * 1000);
  const first = Math.floor(Math.random() * most);
  for (let step = 0; step < most; step++) {
    if (await storage.access.useOnce({ key: `${name} ${((first + step) % most) + 1}`, now, until })) return true;
  }
  return false;
}
