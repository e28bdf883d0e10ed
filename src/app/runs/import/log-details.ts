import { hostsWording } from '../../../kit/summaries/export-summary.ts';
import {
  type ImportReport,
  type NotWrittenRecord,
  recordsWording,
  summaryWording,
} from '../../../kit/summaries/import-summary.ts';
import { messageOf, type Said, worded } from '../../../kit/worded.ts';
import type { LogDetail, LogLevel } from '../../../ports/index.ts';
import { shown } from '../../hosts/decisions/check.ts';

/** Entries name this many records; the report of the command has more. */
const MAX_LOGGED_RECORDS = 100;

/** Returns the log details of an import in addition to its outcome. */
export function importLogDetails(report: ImportReport, startedAt: Date, archiveUpTo?: number): LogDetail[] {
  const details: LogDetail[] = [];
  const add = (level: LogLevel, said: Said): unknown => details.push({ level, ...messageOf(said) });
  const further = (level: LogLevel, count: number, one: Said, many: Said): void => {
    if (count > 0) add(level, count === 1 ? one : many);
  };
  const { seen: _seen, duration_ms: milliseconds, ...counts } = report.summary;
  const took = worded`${{ summary: summaryWording(report.summary) }} in ${{ milliseconds }} ms`;
  details.push({ level: 'info', ...messageOf(took), began: startedAt.toISOString(), counts, milliseconds });
  if (archiveUpTo !== undefined) {
    add(
      'warning',
      worded`this run was allowed to archive ${{ most: archiveUpTo }} hosts at most, whatever the threshold says`,
    );
  }
  const { leftOut, withdrawn, emptied, relations, notWritten } = report;
  if (leftOut > 0) add('info', worded`left out by options or processors: ${{ records: recordsWording(leftOut) }}`);
  if (withdrawn > 0) add('info', worded`contributions removed from ${{ hosts: hostsWording(withdrawn) }}`);
  further(
    'info',
    emptied,
    worded`section emptied on 1 host that is no longer named`,
    worded`section emptied on ${{ count: emptied }} hosts that are no longer named`,
  );
  const { added, removed } = relations;
  if (added + removed > 0) add('info', worded`relations: ${{ added }} added, ${{ removed }} removed`);
  for (const { from, to } of report.renamedSample) {
    add('info', worded`renamed: ${{ from: shown(from) }} is now ${{ to: shown(to) }}, found by its keys`);
  }
  const furtherNames = report.renamed - report.renamedSample.length;
  further('info', furtherNames, worded`renamed: 1 more host`, worded`renamed: ${{ count: furtherNames }} more hosts`);
  for (const { position, hostname, reason } of report.keyConflicts) {
    add('warning', worded`${{ record: `${position}, ${shown(hostname)}` }}: ${{ reason }}`);
  }
  const furtherKeys = report.keyConflictsTotal - report.keyConflicts.length;
  further(
    'warning',
    furtherKeys,
    worded`1 more key could not be used`,
    worded`${{ count: furtherKeys }} more keys could not be used`,
  );
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
  further('warning', furtherWarnings, worded`1 more warning`, worded`${{ count: furtherWarnings }} more warnings`);
  if (report.summary.archived > 0) {
    const more = report.summary.archived - report.archivedSample.length;
    const names = report.archivedSample.map(shown).join(', ');
    add('info', more > 0 ? worded`archived: ${{ names }} and ${{ more }} more` : worded`archived: ${{ names }}`);
  }
  for (const { what, reason } of report.gaps) add('error', worded`${{ what }} could not be read: ${{ reason }}`);
  const unnamed = report.gapsTotal - report.gaps.length;
  further(
    'error',
    unnamed,
    worded`1 more part of the source could not be read`,
    worded`${{ count: unnamed }} more parts of the source could not be read`,
  );
  for (const record of notWritten.slice(0, MAX_LOGGED_RECORDS)) {
    add(record.kind === 'failed' ? 'error' : 'warning', notWrittenWording(record));
  }
  const more = report.notWrittenTotal - Math.min(notWritten.length, MAX_LOGGED_RECORDS);
  further(
    'warning',
    more,
    worded`1 more record was not written`,
    worded`${{ count: more }} more records were not written`,
  );
  if (report.status !== 'failed' && report.summary.failed > 0 && !details.some(({ level }) => level === 'error')) {
    add('error', worded`${{ records: recordsWording(report.summary.failed) }} could not be stored`);
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
