import { type ExportReport, exportSummaryWording } from '../../kit/summaries/export-summary.ts';
import { messageOf, worded } from '../../kit/worded.ts';
import type { LogDetail, TargetDocument, Wording } from '../../ports/index.ts';
import { shown } from '../hosts/decisions/check.ts';

/** Entries name this many hosts; the report of the command has more. */
const MAX_LOGGED_HOSTS = 100;

const DOCUMENTS: Readonly<Record<TargetDocument['change'], (name: string) => Wording>> = {
  created: (name) => worded`${{ name }}: created`,
  changed: (name) => worded`${{ name }}: changed`,
  deleted: (name) => worded`${{ name }}: deleted`,
  left: (name) => worded`${{ name }}: left`,
};

/** What the log says of an export beside its outcome. */
export function exportLogDetails(report: ExportReport): LogDetail[] {
  const details: LogDetail[] = [];
  const { seen: _seen, duration_ms: milliseconds, ...counts } = report.summary;
  const took = worded`${{ summary: exportSummaryWording(report.summary) }} in ${{ milliseconds }} ms`;
  details.push({ level: 'info', ...messageOf(took), counts, milliseconds });
  for (const { name, change } of (report.documents ?? []).slice(0, MAX_LOGGED_HOSTS)) {
    details.push({ level: 'info', ...messageOf(DOCUMENTS[change](shown(name))) });
  }
  const named = report.failures.slice(0, MAX_LOGGED_HOSTS);
  for (const { hostname, reason } of named) {
    details.push({ level: 'error', ...messageOf(worded`${{ record: shown(hostname) }}: failed, ${{ reason }}`) });
  }
  const more = report.failuresTotal - named.length;
  if (more > 0) details.push({ level: 'error', ...messageOf(worded`${{ count: more }} more hosts failed`) });
  return details;
}
