import { archiveHost, archiveHosts } from '../../../../app/hosts/operations/archive-hosts.ts';
import { restoreHost, restoreHosts } from '../../../../app/hosts/operations/restore-hosts.ts';
import { searchHosts } from '../../../../app/search/operations/search-hosts.ts';
import { undoImport } from '../../../../app/undo/operations/undo-run.ts';
import { undoneRunView } from '../../../../app/undo/views/undone-run.ts';
import { counted } from '../../../../kit/words/amounts.ts';
import { printable } from '../../../../kit/words/escape.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { CommandContext } from '../../context.ts';
import { canAsk } from '../../secrets.ts';
import { UsageError } from '../../usage-error.ts';

export interface BulkOptions {
  readonly where?: string;
  /** Place of the import whose archiving is undone. */
  readonly run?: string;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

type Verb = 'archive' | 'restore';

/** Number of hosts that one call accepts. */
const AT_ONCE = 1_000;
const PAGE_SIZE = 500;
/** Names that are shown before the question. */
const SHOWN = 20;

/** Archives or restores the hosts that are named, or those that a query finds. */
export async function changeHosts(
  context: CommandContext,
  verb: Verb,
  named: readonly string[],
  options: BulkOptions,
): Promise<void> {
  const { where, run, dryRun, json } = options;
  const ways = [named.length > 0, where !== undefined, run !== undefined];
  if (ways.filter(Boolean).length !== 1) {
    const more = verb === 'restore' ? ', or name the import that archived them with --run' : '';
    throw new UsageError(`say which hosts: name them, or find them with --where${more}`);
  }
  if (run !== undefined) return restoreArchived(context, run, options);
  const [only, ...others] = named;
  if (only !== undefined && others.length === 0 && !dryRun) return changeOne(context, verb, only, options);
  const hostnames = where === undefined ? named : await foundHosts(context, verb, where);
  if (dryRun) {
    if (json) return context.json({ would_change: hostnames });
    await context.result(hostnames.map((hostname) => `${hostname}\n`).join(''));
    return context.note(`${counted(hostnames.length, 'host')} would be ${WORDS[verb].done}; nothing was changed.`);
  }
  if (hostnames.length > 0 && where !== undefined) await confirm(context, verb, hostnames, options);
  await changeAll(context, verb, hostnames, options);
}

const WORDS = {
  archive: { done: 'archived', ask: 'Archive', state: 'active' },
  restore: { done: 'restored', ask: 'Restore', state: 'archived' },
} as const;

/** Restores what one import archived, using the operation that undoes imports. */
async function restoreArchived(context: CommandContext, place: string, { dryRun, json }: BulkOptions): Promise<void> {
  const input = { place, dry_run: dryRun === true, only_archived: true };
  const undone = await context.value(undoImport, input);
  if (json) return context.json(undone);
  if (dryRun) await context.result(undone.hostnames.map((hostname) => `${printable(hostname)}\n`).join(''));
  undoneRunView(undone, context);
}

/** Changes one host by its name; fails if there is none. */
async function changeOne(context: CommandContext, verb: Verb, hostname: string, { json }: BulkOptions): Promise<void> {
  const answer = await (verb === 'archive'
    ? context.value(archiveHost, { hostname })
    : context.value(restoreHost, { hostname }));
  if (json) return context.json(answer);
  if (verb === 'restore') context.note(`Restored ${hostname}.`);
  else context.note(`Archived ${hostname}. To bring it back: muster host restore ${hostname}`);
}

/** Returns all of them before the first is changed. */
async function foundHosts(context: CommandContext, verb: Verb, where: string): Promise<readonly string[]> {
  const names: string[] = [];
  let after: string | null = null;
  do {
    context.terminal.signal.throwIfAborted();
    const page: Awaited<ReturnType<typeof searchHosts.run>> = await context.value(searchHosts, {
      where,
      state: WORDS[verb].state,
      kind: 'all',
      inventory: false,
      limit: PAGE_SIZE,
      ...(after !== null && { after }),
    });
    names.push(...page.hosts.map(({ hostname }) => hostname));
    after = page.next;
  } while (after !== null);
  return names;
}

/** Without a terminal to ask on, only --yes confirms. */
async function confirm(
  context: CommandContext,
  verb: Verb,
  hostnames: readonly string[],
  { yes }: BulkOptions,
): Promise<void> {
  const more = hostnames.length > SHOWN ? `, and ${hostnames.length - SHOWN} more` : '';
  context.note(`${hostnames.slice(0, SHOWN).join(', ')}${more}`);
  if (yes) return;
  const count = counted(hostnames.length, 'host');
  if (!canAsk(context))
    throw new UsageError(`${count} would be ${WORDS[verb].done}; say --yes to do it, or --dry-run to see them`);
  if (!(await context.ask(`${WORDS[verb].ask} ${count}?`))) {
    throw new AppError('failed', 'nothing was changed');
  }
}

async function changeAll(
  context: CommandContext,
  verb: Verb,
  hostnames: readonly string[],
  { json }: BulkOptions,
): Promise<void> {
  const changed: string[] = [];
  const missing: string[] = [];
  for (let from = 0; from < hostnames.length; from += AT_ONCE) {
    context.terminal.signal.throwIfAborted();
    const some = { hostnames: hostnames.slice(from, from + AT_ONCE) };
    if (verb === 'archive') {
      const { archived, not_found } = await context.value(archiveHosts, some);
      changed.push(...archived);
      missing.push(...not_found);
    } else {
      const { restored, not_found } = await context.value(restoreHosts, some);
      changed.push(...restored);
      missing.push(...not_found);
    }
  }
  if (missing.length > 0) context.failed();
  if (json) return context.json({ [WORDS[verb].done]: changed, not_found: missing });
  context.note(`${counted(changed.length, 'host')} ${WORDS[verb].done}.`);
  if (missing.length > 0) context.note(`not ${WORDS[verb].state}: ${missing.join(', ')}`);
}
