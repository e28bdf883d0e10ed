import { pathPrefix } from '../../../../app/kernel/config/path-prefix.ts';
import { firstUserSecret } from '../../../../app/users/first-user.ts';
import { listUsers } from '../../../../app/users/operations/list-users.ts';
import { shellWord } from '../../../../kit/words/escape.ts';
import type { Services } from '../../../listener/services.ts';
import type { CommandContext } from '../../context.ts';
import { serveUntilStopped } from '../../serve-until-stopped.ts';

/**
 * Returns the options that this service was started with, without which another command would work on another store. Addresses
 * are masked because they hold passwords.
 */
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
  const { services } = await context.app();
  await serveUntilStopped(context, async (address) => {
    await context.result(`Muster serves ${address}\n`);
    context.note(`Documentation: ${address}/docs/`);
    if (users.length === 0) await sayFirstSteps(context, services, address);
    context.note('Ctrl-C stops it.');
  });
}

/**
 * Explains how to create the first user. The link opens the service to its bearer, so it is shown to the user who started it and
 * never logged unasked.
 */
async function sayFirstSteps(context: CommandContext, services: Services, address: string): Promise<void> {
  const { FIRST_USER_LINK, ADMIN_ENABLED, BASE_URL } = services.config;
  const isSeen = context.terminal.stderr.isTTY === true;
  const isWanted = ADMIN_ENABLED && (FIRST_USER_LINK === 'log' || (FIRST_USER_LINK === 'terminal' && isSeen));
  const secret = isWanted ? await firstUserSecret(services) : undefined;
  const base = BASE_URL === '' ? `${address}${pathPrefix(services.config)}` : BASE_URL.replace(/\/+$/, '');
  const link = `${base}/admin/#first-user=${secret}`;
  if (secret !== undefined && FIRST_USER_LINK === 'log')
    services.logger.warn(`There are no users yet. Create the first one within an hour: ${link}`);
  if (secret !== undefined && isSeen)
    context.note(`There are no users yet. Create the first one within an hour: ${link}`);
  const command = ['muster user add <name> --role all --admin', ...storeOptions(context)].join(' ');
  if (secret !== undefined) context.note(`Or in another terminal: ${command}`);
  else context.note(`There are no users yet. Create one in another terminal: ${command}`);
  if (ADMIN_ENABLED && FIRST_USER_LINK === 'terminal' && !isSeen)
    context.note('With FIRST_USER_LINK=log, the log has a link by which the first user is created in a browser.');
}
