import type { LogDetail, LogEntry } from '../../ports/index.ts';
import { type ExportReport, exportSummaryText } from '../domain/export/summary.ts';
import { shown } from '../domain/hosts/check.ts';

/** Entries name this many hosts; the report of the command has more. */
const MAX_LOGGED_HOSTS = 100;

/** The ident that an account's exports log under. */
export function exportLogSource(account: string): string {
  return `export:${account}`;
}

export function exportLogEntry(
  report: ExportReport,
  { id, at, account }: { readonly id: string; readonly at: Date; readonly account: string },
): LogEntry {
  const details = detailsOf(report);
  const outcome = report.status === 'failed' ? 'failed' : report.status === 'partial' ? 'done in part' : 'done';
  return {
    id,
    at,
    message: `Export of ${account} ${outcome}: ${report.message}`,
    source: exportLogSource(account),
    details,
    hasError: details.some(({ level }) => level === 'error'),
  };
}

function detailsOf(report: ExportReport): LogDetail[] {
  const details: LogDetail[] = [];
  if (report.status === 'failed') details.push({ level: 'error', message: report.message });
  details.push({
    level: 'info',
    message: `${exportSummaryText(report.summary)} in ${report.summary.duration_ms} ms`,
  });
  const named = report.failures.slice(0, MAX_LOGGED_HOSTS);
  for (const { hostname, reason } of named) {
    details.push({ level: 'error', message: `${shown(hostname)}: failed, ${reason}` });
  }
  const more = report.failuresTotal - named.length;
  if (more > 0) details.push({ level: 'error', message: `${more} more hosts failed` });
  return details;
}
