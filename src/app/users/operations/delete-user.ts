import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { requireUser, userNameSchema } from '../require-user.ts';
import type { UserServices } from '../services.ts';
import { defineOperation } from '../services.ts';
import type { User } from '../user.ts';

export const deleteUser = defineOperation({
  name: 'users/delete-user',
  title: 'Delete user',
  description:
    'Deletes a user with all tokens and the saved searches that are not shared; sessions end at once. History, log and audit keep the name, and a later user of that name is another one.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'user delete',
      description:
        'Delete a user with all tokens and the saved searches that are not shared; sessions end at once. History and audit keep the name.',
      summary: 'delete a user',
      arguments: { name: { shown: '<name>', description: 'name of the user' } },
      json: 'answer the outcome as JSON',
      examples: ['muster user delete olga'],
      view: ({ name }, print) => print.note(`User ${name} is deleted.`),
    },
    page: true,
  },
  input: z.object({ name: userNameSchema }),
  output: z.object({ status: z.literal('deleted'), name: z.string() }),
  subject: (input) => input.name,
  async run({ name }, { services, caller }) {
    const user = await requireUser(services, name);
    // The operator of a machine may have the name of a user by chance.
    if (caller.entrance !== 'cli' && user.name === caller.name) {
      throw new AppError('conflict', worded`you cannot delete yourself; ask another administrator`);
    }
    await refuseLastAdministrator(services, user);
    // First, so that a deletion that is cut off is simply done again.
    for (const { forgetUser } of services.features) await forgetUser?.(services, user.name, caller.name);
    const removed = await services.storage.rules.remove({
      type: 'users',
      id: user.id,
      at: services.clock.now(),
      actor: { kind: 'user', name: caller.name },
    });
    if (!removed) throw new AppError('not_found', worded`there is no user ${{ name: user.name }}`);
    await services.sessions.endOfUser(user.id);
    return { status: 'deleted' as const, name: user.name };
  },
});

async function refuseLastAdministrator({ users }: UserServices, user: User): Promise<void> {
  if (!isActiveAdministrator(user)) return;
  const others = (await users.list()).filter((other) => other.id !== user.id && isActiveAdministrator(other));
  if (others.length > 0) return;
  throw new AppError(
    'conflict',
    worded`user ${{ name: user.name }} is the last administrator; create another one first, for example with "muster user add <name> --role all --admin"`,
  );
}

function isActiveAdministrator({ globalAdmin, disabled }: User): boolean {
  return globalAdmin && !disabled;
}
