import { listUsers } from '../../../../app/users/operations/list-users.ts';
import { shellWord } from '../../../../kit/words/escape.ts';
import type { CommandContext } from '../../context.ts';
import { serveUntilStopped } from '../../serve-until-stopped.ts';

/** What this service was started with on its command line, without which another command would work on another store. Addresses hold passwords. */
function storeOptions({ flags: { DATABASE_URL: url, DATA_DIR: folder } }: CommandContext): string[] {
  return [
    ...(typeof url === 'string' ? ['--database-url', url.startsWith('sqlite:') ? shellWord(url) : '…'] : []),
    ...(typeof folder === 'string' ? ['--data-dir', shellWord(folder)] : []),
  ];
}

export async function serveCommand(context: CommandContext): Promise<void> {
  context.role = 'service';
  await context.requireStore();
  const { users } = await context.value(listUsers, {});
  await serveUntilStopped(context, async (address) => {
    await context.result(`Muster serves ${address}\n`);
    context.note(`Documentation: ${address}/docs/`);
    if (users.length === 0) {
      const command = ['muster user add <name> --role all --admin', ...storeOptions(context)].join(' ');
      context.note(`There are no users yet. Create one in another terminal: ${command}`);
    }
    context.note('Ctrl-C stops it.');
  });
}
