import type { LogDetail, LogEntry } from '../../ports/index.ts';
import { shown } from '../domain/hosts/check.ts';
import { type ImportReport, summaryText, type UnwrittenRecord } from '../domain/import/summary.ts';

/** Entries name this many records; the report of the command has more. */
const MAX_LOGGED_RECORDS = 100;

/** The ident that an account's imports log under. */
export function importLogSource(account: string): string {
  return `import:${account}`;
}

export function importLogEntry(
  report: ImportReport,
  { id, at, account }: { readonly id: string; readonly at: Date; readonly account: string },
): LogEntry {
  const details = detailsOf(report);
  const outcome = report.status === 'failed' ? 'failed' : report.status === 'partial' ? 'done in part' : 'done';
  return {
    id,
    at,
    message: `Import of ${account} ${outcome}: ${report.message}`,
    source: importLogSource(account),
    details,
    hasError: details.some(({ level }) => level === 'error'),
  };
}

function detailsOf(report: ImportReport): LogDetail[] {
  const details: LogDetail[] = [];
  if (report.status === 'failed') details.push({ level: 'error', message: report.message });
  details.push({ level: 'info', message: `${summaryText(report.summary)} in ${report.summary.duration_ms} ms` });
  if (report.withdrawn > 0) {
    details.push({ level: 'info', message: `contributions taken back from ${report.withdrawn} hosts` });
  }
  if (report.summary.archived > 0) {
    const more = report.summary.archived - report.archivedSample.length;
    const names = report.archivedSample.map(shown).join(', ');
    details.push({ level: 'info', message: `archived: ${names}${more > 0 ? ` and ${more} more` : ''}` });
  }
  for (const record of report.skippedRecords.slice(0, MAX_LOGGED_RECORDS)) {
    details.push({ level: record.kind === 'failed' ? 'error' : 'warning', message: unwrittenText(record) });
  }
  const more = report.skippedTotal - Math.min(report.skippedRecords.length, MAX_LOGGED_RECORDS);
  if (more > 0) details.push({ level: 'warning', message: `${more} more records were not written` });
  if (report.summary.failed > 0 && !details.some(({ level }) => level === 'error')) {
    details.push({ level: 'error', message: `${report.summary.failed} records could not be stored` });
  }
  return details;
}

/** `line 12, "web1": skipped, the host belongs to another account`. */
function unwrittenText(record: UnwrittenRecord): string {
  const name = record.hostname === '' ? '' : `, ${shown(record.hostname)}`;
  return `${record.position}${name}: ${record.kind}, ${record.reason}`;
}
