import type { z } from 'zod';
import type { logEntrySchema } from '../../../../app/journal/log-answer.ts';
import type { listAudit } from '../../../../app/journal/operations/list-audit.ts';
import type { Colours, Column } from '../../../../app/kernel/print.ts';
import { counted } from '../../../../kit/words/amounts.ts';
import { printable } from '../../../../kit/words/escape.ts';

type LogEntry = z.infer<typeof logEntrySchema>;
type AuditEntry = z.infer<typeof listAudit.output>['entries'][number];

/** Details below a log entry; a run with thousands of skipped records must not hide the other entries. */
const MAX_DETAILS = 10;

/** Formats an entry for people: a line, and below it the details. */
export function logEntryText(entry: LogEntry, colours: Colours): string {
  const head = `${colours.dim(entry.time)}  ${colours.bold(printable(entry.source))}  ${printable(entry.message)}`;
  const details = entry.details.slice(0, MAX_DETAILS).map(({ name, message }) => {
    const line = `    ${name}: ${printable(message)}`;
    return name === 'error' ? colours.red(line) : name === 'warning' ? colours.yellow(line) : colours.dim(line);
  });
  if (entry.details.length > MAX_DETAILS) {
    details.push(colours.dim(`    … ${counted(entry.details.length - MAX_DETAILS, 'more line')}, see --json`));
  }
  return `${[entry.has_error ? `${head}  ${colours.red('FAILED')}` : head, ...details].join('\n')}\n`;
}

export const LOG_COLUMNS: readonly Column<LogEntry>[] = [
  { header: 'time', value: ({ time }) => time },
  { header: 'source', value: ({ source }) => source },
  {
    header: 'outcome',
    value: (entry) => (entry.has_error ? 'failed' : 'done'),
    paint: (text, entry, colours) => (entry.has_error ? colours.red(text) : text),
  },
  { header: 'message', value: ({ message }) => message, shrink: true },
];

export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
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
  { header: 'details', value: (entry) => entry.details, shrink: true },
];
