import type { LogDetail } from '../../../ports/index.ts';
import { shown } from '../../hosts/decisions/check.ts';
import { type ExportReport, exportSummaryText } from './decisions/summary.ts';

/** Entries name this many hosts; the report of the command has more. */
const MAX_LOGGED_HOSTS = 100;

/** What the log says of an export beside its outcome. */
export function exportLogDetails(report: ExportReport): LogDetail[] {
  const details: LogDetail[] = [];
  const { seen: _seen, duration_ms: milliseconds, ...counts } = report.summary;
  const message = `${exportSummaryText(report.summary)} in ${milliseconds} ms`;
  details.push({ level: 'info', message, counts, milliseconds });
  for (const { name, change } of (report.documents ?? []).slice(0, MAX_LOGGED_HOSTS)) {
    details.push({ level: 'info', message: `${shown(name)}: ${change}` });
  }
  const named = report.failures.slice(0, MAX_LOGGED_HOSTS);
  for (const { hostname, reason } of named) {
    details.push({ level: 'error', message: `${shown(hostname)}: failed, ${reason}` });
  }
  const more = report.failuresTotal - named.length;
  if (more > 0) details.push({ level: 'error', message: `${more} more hosts failed` });
  return details;
}
