import { AppError, type Clock, type Storage } from '../../../ports/index.ts';
import { worded } from '../../kernel/worded.ts';
import type { User } from '../user.ts';

/** Codes that are looked at of one user in this time, right or wrong, on all nodes together: of a million few are guessed. */
const MOST_TRIES = 10;
const WINDOW_SECONDS = 15 * 60;

/** Takes one of the tries that are left for codes of the user. Throws `rate_limited` when there is none. */
export async function takeTry(
  { storage, clock }: { readonly storage: Pick<Storage, 'access'>; readonly clock: Clock },
  { id }: Pick<User, 'id'>,
): Promise<void> {
  const now = clock.now();
  const until = new Date(now.getTime() + WINDOW_SECONDS * 1000);
  for (let place = 1; place <= MOST_TRIES; place++) {
    if (await storage.access.useOnce({ key: `second factor ${id} ${place}`, now, until })) return;
  }
  throw new AppError(
    'rate_limited',
    worded`too many codes were tried for this user; wait a quarter of an hour, or log in with a passkey`,
    { retryAfterSeconds: WINDOW_SECONDS },
  );
}
