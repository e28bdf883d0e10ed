import type { z } from 'zod';
import type { logEntrySchema } from '../../../../app/journal/log-answer.ts';
import { getServiceLog } from '../../../../app/journal/operations/get-service-log.ts';
import { listAudit } from '../../../../app/journal/operations/list-audit.ts';
import { listLogs } from '../../../../app/journal/operations/list-logs.ts';
import type { Column } from '../../../../app/kernel/print.ts';
import { printable } from '../../../../app/words/escape.ts';
import type { CommandContext } from '../../context.ts';
import { UsageError } from '../../usage-error.ts';

export interface LogsOptions {
  readonly audit?: true;
  readonly limit: number;
  readonly source?: string;
  readonly actor?: string;
  readonly operation?: string;
  readonly json?: true;
}

type LogEntry = z.infer<typeof logEntrySchema>;
type AuditEntry = z.infer<typeof listAudit.output>['entries'][number];

/** Details below a log entry; a run with thousands of skipped records must not hide the other entries. */
const MAX_DETAILS = 10;

export async function showLogs(context: CommandContext, options: LogsOptions): Promise<void> {
  if (options.audit) return showAudit(context, options);
  if (options.actor !== undefined || options.operation !== undefined) {
    throw new UsageError('--actor and --operation belong to --audit');
  }
  const entries = await logEntries(context, options);
  if (options.json) return context.json(entries);
  if (entries.length === 0) return context.note('The log is empty.');
  for (const entry of entries) await context.result(entryText(entry, context));
}

async function logEntries(context: CommandContext, options: LogsOptions): Promise<readonly LogEntry[]> {
  if (options.source === undefined) return (await context.value(listLogs, { limit: options.limit })).entries;
  return [(await context.value(getServiceLog, { service_name: options.source })).result];
}

function entryText(entry: LogEntry, { colours }: CommandContext): string {
  const head = `${colours.dim(entry.time)}  ${colours.bold(printable(entry.source))}  ${printable(entry.message)}`;
  const details = entry.details.slice(0, MAX_DETAILS).map(({ name, message }) => {
    const line = `    ${name}: ${printable(message)}`;
    return name === 'error' ? colours.red(line) : name === 'warning' ? colours.yellow(line) : colours.dim(line);
  });
  if (entry.details.length > MAX_DETAILS) {
    details.push(colours.dim(`    … ${entry.details.length - MAX_DETAILS} more lines, see --json`));
  }
  return `${[entry.has_error ? `${head}  ${colours.red('FAILED')}` : head, ...details].join('\n')}\n`;
}

async function showAudit(context: CommandContext, options: LogsOptions): Promise<void> {
  if (options.source !== undefined) throw new UsageError('--source does not belong to --audit');
  const { entries } = await context.value(listAudit, {
    limit: options.limit,
    ...(options.actor === undefined ? {} : { actor: options.actor }),
    ...(options.operation === undefined ? {} : { operation: options.operation }),
  });
  if (options.json) await context.json(entries);
  else await context.table(entries, AUDIT_COLUMNS, 'The audit log has no such entry.');
}

const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  { header: 'time', value: (entry) => entry.time },
  { header: 'actor', value: (entry) => entry.actor },
  { header: 'from', value: (entry) => (entry.address === '' ? entry.entrance : `${entry.entrance} ${entry.address}`) },
  { header: 'operation', value: (entry) => entry.operation },
  { header: 'subject', value: (entry) => entry.subject, shrink: true },
  {
    header: 'outcome',
    value: (entry) => entry.outcome,
    paint: (text, entry, colours) => (entry.outcome === 'done' ? text : colours.red(text)),
  },
];
