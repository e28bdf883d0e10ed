import { purgeHosts } from '../../../../app/search/operations/purge-hosts.ts';
import { counted } from '../../../../kit/words/amounts.ts';
import { confirmed } from '../../confirmed.ts';
import type { CommandContext } from '../../context.ts';
import { UsageError } from '../../usage-error.ts';
import { leftOutText } from './search-hosts.ts';

interface PurgeOptions {
  readonly where?: string;
  readonly includeActive?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** Names that are shown before the question. */
const SHOWN = 20;

/** Deletes hosts for good; which ones and how many is shown first, and a number that changed since is refused. */
export async function purgeHostsCommand(
  context: CommandContext,
  hostnames: readonly string[],
  { where, includeActive, dryRun, yes, json }: PurgeOptions,
): Promise<void> {
  if ((hostnames.length === 0) === (where === undefined)) {
    throw new UsageError('say which hosts: name them, or find them with --where');
  }
  const which = {
    ...(where === undefined ? { hostnames } : { where }),
    include_active: includeActive === true,
  };
  const found = await context.value(purgeHosts, { ...which, dry_run: true });
  if (found.left_out !== undefined) context.note(leftOutText(new Set(found.left_out)));
  const count = counted(found.hosts, 'host');
  const active = found.active === 0 ? '' : `, ${found.active.toLocaleString('en')} of them active`;
  if (dryRun) {
    if (json) return context.json(found);
    await context.result(found.hostnames.map((hostname) => `${hostname}\n`).join(''));
    return context.note(`${count}${active} would be deleted for good; nothing was changed.`);
  }
  if (found.hosts > 0) {
    const more = found.hosts > SHOWN ? `, and ${(found.hosts - SHOWN).toLocaleString('en')} more` : '';
    context.note(`${found.hostnames.slice(0, SHOWN).join(', ')}${more}`);
    const what = `${count}${active} would be deleted for good, with history and relations`;
    await confirmed(context, { question: `Delete ${count}${active} for good, with history and relations?`, what, yes });
  }
  const done = await context.value(purgeHosts, { ...which, dry_run: false, expected: found.hosts });
  if (done.not_found.length > 0) context.failed();
  if (json) return context.json(done);
  context.note(`${counted(done.hosts, 'host')} deleted for good.`);
  if (done.not_found.length > 0) {
    context.note(`not ${includeActive ? 'found' : 'in the archive'}: ${done.not_found.join(', ')}`);
  }
}
