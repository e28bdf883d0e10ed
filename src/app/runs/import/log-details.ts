import { type ImportReport, type NotWrittenRecord, summaryWording } from '../../../kit/summaries/import-summary.ts';
import { messageOf, type Said, worded } from '../../../kit/worded.ts';
import type { LogDetail, LogLevel } from '../../../ports/index.ts';
import { shown } from '../../hosts/decisions/check.ts';

/** Entries name this many records; the report of the command has more. */
const MAX_LOGGED_RECORDS = 100;

/** What the log says of an import beside its outcome. */
export function importLogDetails(report: ImportReport, startedAt: Date): LogDetail[] {
  const details: LogDetail[] = [];
  const add = (level: LogLevel, said: Said): unknown => details.push({ level, ...messageOf(said) });
  const { seen: _seen, duration_ms: milliseconds, ...counts } = report.summary;
  const took = worded`${{ summary: summaryWording(report.summary) }} in ${{ milliseconds }} ms`;
  details.push({ level: 'info', ...messageOf(took), began: startedAt.toISOString(), counts, milliseconds });
  const { leftOut, withdrawn, emptied, relations, notWritten } = report;
  if (leftOut > 0) add('info', worded`left out by options or processors: ${{ count: leftOut }} records`);
  if (withdrawn > 0) add('info', worded`contributions taken back from ${{ count: withdrawn }} hosts`);
  if (emptied > 0) add('info', worded`section emptied on ${{ count: emptied }} hosts that are no longer named`);
  const { added, removed } = relations;
  if (added + removed > 0) add('info', worded`relations: ${{ added }} added, ${{ removed }} taken back`);
  for (const { from, to } of report.renamedSample) {
    add('info', worded`renamed: ${{ from: shown(from) }} is now ${{ to: shown(to) }}, found by its keys`);
  }
  const furtherNames = report.renamed - report.renamedSample.length;
  if (furtherNames > 0) add('info', worded`renamed: ${{ count: furtherNames }} more hosts`);
  for (const { position, hostname, reason } of report.keyConflicts) {
    add('warning', worded`${{ record: `${position}, ${shown(hostname)}` }}: ${{ reason }}`);
  }
  const furtherKeys = report.keyConflictsTotal - report.keyConflicts.length;
  if (furtherKeys > 0) add('warning', worded`${{ count: furtherKeys }} more keys could not be used`);
  for (const { position, hostname, reason, records } of report.warnings) {
    const record = [position, ...(hostname === '' ? [] : [shown(hostname)])].filter((text) => text !== '').join(', ');
    add(
      'warning',
      records === 1
        ? worded`${{ record }}: ${{ reason }}`
        : worded`${{ record }} and ${{ count: records - 1 }} more: ${{ reason }}`,
    );
  }
  const furtherWarnings = report.warningsTotal - report.warnings.length;
  if (furtherWarnings > 0) add('warning', worded`${{ count: furtherWarnings }} more warnings`);
  if (report.summary.archived > 0) {
    const more = report.summary.archived - report.archivedSample.length;
    const names = report.archivedSample.map(shown).join(', ');
    add('info', more > 0 ? worded`archived: ${{ names }} and ${{ more }} more` : worded`archived: ${{ names }}`);
  }
  for (const { what, reason } of report.gaps) add('error', worded`${{ what }} could not be read: ${{ reason }}`);
  const unnamed = report.gapsTotal - report.gaps.length;
  if (unnamed > 0) add('error', worded`${{ count: unnamed }} more parts of the source could not be read`);
  for (const record of notWritten.slice(0, MAX_LOGGED_RECORDS)) {
    add(record.kind === 'failed' ? 'error' : 'warning', notWrittenWording(record));
  }
  const more = report.notWrittenTotal - Math.min(notWritten.length, MAX_LOGGED_RECORDS);
  if (more > 0) add('warning', worded`${{ count: more }} more records were not written`);
  if (report.status !== 'failed' && report.summary.failed > 0 && !details.some(({ level }) => level === 'error')) {
    add('error', worded`${{ count: report.summary.failed }} records could not be stored`);
  }
  return details;
}

/** `line 12, "web1": skipped, the host belongs to another account`. */
function notWrittenWording({ position, hostname, kind, reason }: NotWrittenRecord): Said {
  const record = hostname === '' ? position : `${position}, ${shown(hostname)}`;
  switch (kind) {
    case 'conflict':
      return worded`${{ record }}: conflict, ${{ reason }}`;
    case 'skipped':
      return worded`${{ record }}: skipped, ${{ reason }}`;
    case 'failed':
      return worded`${{ record }}: failed, ${{ reason }}`;
  }
}
