import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import type { logEntrySchema } from '../../../../app/journal/log-answer.ts';
import { getServiceLog } from '../../../../app/journal/operations/get-service-log.ts';
import { listAudit } from '../../../../app/journal/operations/list-audit.ts';
import { listLogs } from '../../../../app/journal/operations/list-logs.ts';
import type { CommandContext } from '../../context.ts';
import { type ListOptions, listRequestOf } from '../../list-options.ts';
import { UsageError } from '../../usage-error.ts';
import { AUDIT_COLUMNS, LOG_COLUMNS, logEntryText } from './columns.ts';
import { sinceOf } from './since.ts';

interface LogsOptions extends ListOptions {
  readonly audit?: true;
  readonly limit?: number;
  readonly since?: string;
  readonly follow?: true;
  readonly errors?: true;
  readonly text?: string;
  readonly source?: string;
  readonly actor?: string;
  readonly operation?: string;
}

type LogEntry = z.infer<typeof logEntrySchema>;
type AuditEntry = z.infer<typeof listAudit.output>['entries'][number];

/** Number of entries shown by default. */
const LATEST = 20;
/** The most that one call answers. */
const MOST = 10_000;
const PAUSE_MS = 2_000;
/** An entry is written when its work ends and may be stored slightly later than its own time. */
const OVERLAP_MS = 60_000;

export async function showLogs(context: CommandContext, options: LogsOptions): Promise<void> {
  checkOptions(options);
  if (options.follow) return followLogs(context, options);
  if (options.audit) {
    const entries = await auditEntries(context, askedOf(context, options), options);
    return context.listing(
      listRequestOf(options),
      () => entries,
      () => context.table(entries, AUDIT_COLUMNS, 'The audit log has no such entry.'),
    );
  }
  const entries = await logEntries(context, options);
  await context.listing(
    listRequestOf(options),
    () => entries,
    () => showEntries(context, entries),
  );
}

function checkOptions({ audit, follow, actor, operation, source, output, columns, sort }: LogsOptions): void {
  if (audit && source !== undefined) throw new UsageError('--source does not belong to --audit');
  if (!audit && (actor !== undefined || operation !== undefined)) {
    throw new UsageError('--actor and --operation belong to --audit');
  }
  if (!follow) return;
  if (sort !== undefined) throw new UsageError('--follow shows entries as they come; --sort does not go with it');
  if (columns !== undefined || (output !== undefined && output !== 'json' && output !== 'table')) {
    throw new UsageError('--follow shows entries as they come: as text, or with --json an entry a line');
  }
}

async function showEntries(context: CommandContext, entries: readonly LogEntry[]): Promise<void> {
  if (context.asksForTable) return context.table(entries, LOG_COLUMNS, 'The log has no such entry.');
  if (entries.length === 0) return context.note('The log has no such entry.');
  for (const entry of entries) await context.result(logEntryText(entry, context.colours));
}

/** Filters common to both logs. */
interface Asked {
  readonly limit: number;
  readonly since?: string;
  readonly text?: string;
}

function askedOf(context: CommandContext, { since, limit, text }: LogsOptions): Asked {
  return {
    limit: limit ?? (since === undefined ? LATEST : MOST),
    ...(since !== undefined && { since: sinceOf(since, context.now()) }),
    ...(text !== undefined && { text }),
  };
}

async function auditEntries(
  context: CommandContext,
  asked: Asked,
  { errors, actor, operation }: LogsOptions,
): Promise<readonly AuditEntry[]> {
  const { entries } = await context.value(listAudit, {
    ...asked,
    refused: errors === true,
    ...(actor !== undefined && { actor }),
    ...(operation !== undefined && { operation }),
  });
  return entries;
}

/**
 * Returns the latest entry if only one component is given: it is found by the name of an account too, and by the words of other
 * installations.
 */
async function logEntries(context: CommandContext, options: LogsOptions): Promise<readonly LogEntry[]> {
  const { source, limit, since, errors, text } = options;
  const isLatest = [limit, since, errors, text].every((option) => option === undefined);
  if (source !== undefined && isLatest) return [(await context.value(getServiceLog, { service_name: source })).result];
  return pageOf(context, askedOf(context, options), options);
}

async function pageOf(
  context: CommandContext,
  asked: Asked,
  { source, errors }: LogsOptions,
): Promise<readonly LogEntry[]> {
  const { entries } = await context.value(listLogs, {
    ...asked,
    errors: errors === true,
    ...(source !== undefined && { source }),
  });
  return entries;
}

/** Goes on until the person stops it, oldest first, each entry once. */
async function followLogs(context: CommandContext, options: LogsOptions): Promise<void> {
  const { signal } = context.terminal;
  const isJson = options.json === true || options.output === 'json';
  let asked: Asked = askedOf(context, options);
  const read = (): Promise<readonly (LogEntry | AuditEntry)[]> =>
    options.audit ? auditEntries(context, asked, options) : pageOf(context, asked, options);
  let shown: ReadonlySet<string> = new Set();
  for (;;) {
    const from = new Date(context.now().getTime() - OVERLAP_MS).toISOString();
    const entries = await read();
    for (const entry of entries.toReversed()) {
      if (!shown.has(entry.entry_id))
        await context.result(isJson ? `${JSON.stringify(entry)}\n` : lineOf(context, entry));
    }
    shown = new Set(entries.map(({ entry_id }) => entry_id));
    asked = { ...asked, limit: MOST, since: from };
    await pause(PAUSE_MS, undefined, { signal });
  }
}

function lineOf({ colours }: CommandContext, entry: LogEntry | AuditEntry): string {
  if ('message' in entry) return logEntryText(entry, colours);
  return `${AUDIT_COLUMNS.map(({ value }) => value(entry))
    .join('  ')
    .trimEnd()}\n`;
}
