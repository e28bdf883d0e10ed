import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import type { UserServices } from './services.ts';
import { sessionHandle } from './sessions.ts';
import type { User } from './user.ts';

/** Ends one session of a user, or all of them but `except`. Answers how many. */
export async function endSessionsOf(
  { sessions }: UserServices,
  user: User,
  { handle, except }: { readonly handle: string | undefined; readonly except?: string | undefined },
): Promise<number> {
  if (handle === undefined) return sessions.endOfUser(user.id, except);
  const found = (await sessions.ofUser(user)).find((record) => sessionHandle(record) === handle);
  if (found === undefined || !(await sessions.end(found.id))) {
    throw new AppError(
      'not_found',
      worded`user ${{ name: user.name }} has no session ${{ handle }}; see "muster user sessions ${{ name: user.name }}"`,
    );
  }
  return 1;
}
