import { listUsers } from '../../../../app/users/operations/list-users.ts';
import type { CommandContext } from '../../context.ts';
import { serveUntilStopped } from '../../serve-until-stopped.ts';

export async function serveCommand(context: CommandContext): Promise<void> {
  context.role = 'service';
  await context.requireStore();
  const { users } = await context.value(listUsers, {});
  await serveUntilStopped(context, async (address) => {
    await context.result(`Muster serves ${address}\n`);
    context.note(`Documentation: ${address}/docs/`);
    if (users.length === 0)
      context.note('There are no users yet. Create one in another terminal: muster user add <name> --role all --admin');
    context.note('Ctrl-C stops it.');
  });
}
