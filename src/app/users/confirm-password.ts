import { phrase, worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { UserServices } from './services.ts';
import type { User } from './user.ts';

/** Refuses who does not know the caller's password: a session that was left open must not be enough for what changes how its user logs in. */
export async function confirmOwnPassword(
  services: UserServices,
  caller: Caller,
  user: User,
  password: string,
): Promise<void> {
  if (await services.users.confirmPassword(user, password, caller.address)) return;
  // An intruder in a hijacked session must not be able to guess the password there.
  if (caller.session !== undefined) await services.sessions.countFailure(caller.session);
  throw services.refusals.counted(
    new AppError('unauthenticated', worded`the current password is wrong`, {
      details: [{ path: 'present_password', message: phrase`is not your current password` }],
    }),
  );
}
