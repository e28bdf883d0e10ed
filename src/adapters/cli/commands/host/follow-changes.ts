import { setTimeout } from 'node:timers/promises';
import type { Followed } from '../../../../app/change-feed/follow.ts';
import { followChanges } from '../../../../app/change-feed/operations/follow-changes.ts';
import { changesView } from '../../../../app/change-feed/views/changes.ts';
import { listChanges } from '../../../../app/search/operations/list-changes.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { CommandContext } from '../../context.ts';
import { UsageError } from '../../usage-error.ts';

const CHANGES_AT_ONCE = 200;
const LOOK_EVERY_MS = 1_000;
const TRY_AGAIN_MS = 5_000;

interface ChangesOptions {
  readonly where?: string;
  readonly field?: string;
  readonly from?: string;
  readonly until?: string;
  readonly by?: string;
  readonly kind?: string;
  readonly limit?: number;
  readonly since?: string;
  readonly follow?: boolean;
  readonly json?: boolean;
}

/** Lists what happened, newest first, or what follows a cursor, oldest first. */
export async function changesCommand(
  context: CommandContext,
  { since, follow, json, ...which }: ChangesOptions,
): Promise<void> {
  if (since === undefined && follow !== true) {
    const output = await context.value(listChanges, which);
    return json === true ? context.json(output.changes) : changesView(output, context);
  }
  const [given] = Object.entries(which).find(([, value]) => value !== undefined) ?? [];
  if (given !== undefined)
    throw new UsageError(`--${given} chooses among what happened; leave it out with --since and --follow`);
  const isJson = json === true || context.terminal.stdout.isTTY !== true;
  let place = since ?? 'now';
  for (;;) {
    const page = await pageBehind(context, place, follow === true);
    if (page === undefined) continue;
    if (isJson) await context.result(page.changes.map((change) => `${JSON.stringify(change)}\n`).join(''));
    else if (page.changes.length > 0) await changesView({ changes: page.changes.map(shown) }, context);
    place = page.next;
    if (page.more) continue;
    if (follow !== true) return context.note(`Go on with --since ${place}`);
    await setTimeout(LOOK_EVERY_MS, undefined, { signal: context.terminal.signal });
  }
}

/** Returns `undefined` after a pause if the service restarts while a client follows it for long. */
async function pageBehind(context: CommandContext, since: string, retries: boolean) {
  try {
    return await context.value(followChanges, { since, limit: CHANGES_AT_ONCE });
  } catch (error) {
    if (!retries || !(error instanceof AppError) || error.code !== 'unavailable' || since === 'now') throw error;
    context.note(`${error.message} (trying again)`);
    await setTimeout(TRY_AGAIN_MS, undefined, { signal: context.terminal.signal });
    return undefined;
  }
}

function shown({ hostname, time, kind, by, changes }: Followed) {
  return { hostname, time, kind, by: by ?? 'others', changes: changes as readonly { readonly path: string }[] };
}
