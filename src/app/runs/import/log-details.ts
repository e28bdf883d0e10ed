import type { LogDetail } from '../../../ports/index.ts';
import { shown } from '../../hosts/decisions/check.ts';
import { type ImportReport, type NotWrittenRecord, summaryText } from './decisions/summary.ts';

/** Entries name this many records; the report of the command has more. */
const MAX_LOGGED_RECORDS = 100;

/** What the log says of an import beside its outcome. */
export function importLogDetails(report: ImportReport, startedAt: Date): LogDetail[] {
  const details: LogDetail[] = [];
  const { seen: _seen, duration_ms: milliseconds, ...counts } = report.summary;
  const took = `${summaryText(report.summary)} in ${milliseconds} ms`;
  details.push({ level: 'info', message: took, began: startedAt.toISOString(), counts, milliseconds });
  if (report.leftOut > 0)
    details.push({ level: 'info', message: `left out by options or processors: ${report.leftOut} records` });
  if (report.withdrawn > 0) {
    details.push({ level: 'info', message: `contributions taken back from ${report.withdrawn} hosts` });
  }
  if (report.emptied > 0) {
    details.push({ level: 'info', message: `section emptied on ${report.emptied} hosts that are no longer named` });
  }
  const { added, removed } = report.relations;
  if (added + removed > 0) details.push({ level: 'info', message: `relations: ${added} added, ${removed} taken back` });
  for (const { from, to } of report.renamedSample) {
    details.push({ level: 'info', message: `renamed: ${shown(from)} is now ${shown(to)}, found by its keys` });
  }
  const furtherNames = report.renamed - report.renamedSample.length;
  if (furtherNames > 0) details.push({ level: 'info', message: `renamed: ${furtherNames} more hosts` });
  for (const { position, hostname, reason } of report.keyConflicts) {
    details.push({ level: 'warning', message: `${position}, ${shown(hostname)}: ${reason}` });
  }
  const furtherKeys = report.keyConflictsTotal - report.keyConflicts.length;
  if (furtherKeys > 0) details.push({ level: 'warning', message: `${furtherKeys} more keys could not be used` });
  if (report.summary.archived > 0) {
    const more = report.summary.archived - report.archivedSample.length;
    const names = report.archivedSample.map(shown).join(', ');
    details.push({ level: 'info', message: `archived: ${names}${more > 0 ? ` and ${more} more` : ''}` });
  }
  for (const { what, reason } of report.gaps) {
    details.push({ level: 'error', message: `${what} could not be read: ${reason}` });
  }
  const unnamed = report.gapsTotal - report.gaps.length;
  if (unnamed > 0) details.push({ level: 'error', message: `${unnamed} more parts of the source could not be read` });
  for (const record of report.notWritten.slice(0, MAX_LOGGED_RECORDS)) {
    details.push({ level: record.kind === 'failed' ? 'error' : 'warning', message: notWrittenText(record) });
  }
  const more = report.notWrittenTotal - Math.min(report.notWritten.length, MAX_LOGGED_RECORDS);
  if (more > 0) details.push({ level: 'warning', message: `${more} more records were not written` });
  if (report.status !== 'failed' && report.summary.failed > 0 && !details.some(({ level }) => level === 'error')) {
    details.push({ level: 'error', message: `${report.summary.failed} records could not be stored` });
  }
  return details;
}

/** `line 12, "web1": skipped, the host belongs to another account`. */
function notWrittenText(record: NotWrittenRecord): string {
  const name = record.hostname === '' ? '' : `, ${shown(record.hostname)}`;
  return `${record.position}${name}: ${record.kind}, ${record.reason}`;
}
