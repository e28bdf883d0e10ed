import { countWordings } from '../../../../kit/summaries/import-summary.ts';
import { counted, durationText, grouped } from '../../../../kit/words/amounts.ts';
import { changeLine } from '../../../../kit/words/changes.ts';
import { printable, shellWord } from '../../../../kit/words/escape.ts';
import type { Print } from '../../../kernel/print.ts';
import { outcomeView, troubleView } from '../../views/trouble.ts';
import type { ImportReport } from '../import-report.ts';

interface Asked {
  readonly dry_run: boolean;
  readonly diff: boolean;
}

/** Returns the counts at the top level, as scripts read them, with the rest next to them. */
export function importAnswer({ summary, diffs, ...report }: ImportReport, { dry_run, diff }: Asked): object {
  return { ...summary, dry_run, ...report, ...(diff ? { diffs } : {}) };
}

/** Prints the changes of each host if requested, the counts, and the records that were not written. */
export async function importView(report: ImportReport, print: Print, asked: Asked): Promise<void> {
  for (const { hostname, outcome, changes } of report.diffs) {
    const head = outcome === 'created' ? print.colours.green('+ ') : '~ ';
    const lines = changes.map((change) => changeLine(change, print.colours));
    await print.result(`${[`${head}${print.colours.bold(printable(hostname))}`, ...lines].join('\n')}\n`);
  }
  // A run that failed before its first record has a reason, but no counts.
  if (report.status !== 'failed' || report.summary.seen > 0) await print.result(`${summaryLine(report, asked)}\n`);
  if (report.left_out > 0) print.note(`left out by options or processors: ${counted(report.left_out, 'record')}`);
  if (report.emptied > 0) {
    const words = asked.dry_run ? 'would be emptied' : 'emptied';
    print.note(`section ${words} on ${counted(report.emptied, 'host')} that the source no longer names`);
  }
  const { added, removed } = report.relations;
  if (added + removed > 0) print.note(`relations: ${added} added, ${removed} removed`);
  if (report.renamed > 0) {
    const names = report.renamed_sample.map(({ from, to }) => `${printable(from)} → ${printable(to)}`);
    const more = report.renamed > names.length ? `, and ${report.renamed - names.length} more` : '';
    print.note(`${asked.dry_run ? 'would be renamed' : 'renamed'}: ${names.join(', ')}${more}`);
  }
  if (report.archived_sample.length > 0) {
    const all = Math.max(report.summary.archived, report.refused);
    const first =
      all > report.archived_sample.length ? `, the first ${report.archived_sample.length} of ${grouped(all)}` : '';
    const words = asked.dry_run || report.summary.archived === 0 ? 'would be archived' : 'archived';
    print.note(`${words}${first}: ${report.archived_sample.map(printable).join(', ')}`);
  }
  if (report.unseen > 0) {
    const more = report.unseen > report.unseen_sample.length ? ', …' : '';
    print.note(
      `no longer in the source: ${counted(report.unseen, 'host')}, which stay: ${report.unseen_sample.map(printable).join(', ')}${more}; ` +
        'to have such hosts archived, set delete_host_if_not_found_on_import of the account',
    );
  }
  const gaps = report.gaps.map(({ what, reason }) => `not read: ${what}: ${reason}`);
  troubleView(gaps, report.gaps_total, 'more part of the source', print);
  recordsView(report, print);
}

/** Prints doubtful keys and records, and the records that were not written; of several accounts the first `most`, with the name. */
export function recordsView(report: ImportReport, print: Print, most = Number.POSITIVE_INFINITY, account = ''): void {
  const show = (lines: readonly string[], total: number, more: string): void =>
    troubleView(
      lines.slice(0, most).map((line) => `${account}${line}`),
      total,
      more,
      print,
    );
  const keys = report.key_conflicts.map(({ position, hostname, reason }) => `key: ${position} ${hostname}: ${reason}`);
  show(keys, report.key_conflicts_total, 'more key');
  const warnings = report.warnings.map(({ position, hostname, reason, records }) => {
    const where = [position, hostname].filter((text) => text !== '').join(' ');
    return `warning: ${where}${records > 1 ? ` and ${counted(records - 1, 'more record')}` : ''}: ${reason}`;
  });
  show(warnings, report.warnings_total, 'more warning');
  const notWritten = report.not_written.map(({ kind, position, hostname, reason }) => {
    const name = hostname === '' ? '' : ` ${hostname}`;
    return `${kind}: ${position}${name}: ${reason}`;
  });
  show(notWritten, report.not_written_total, 'more record');
}

export function importOutcome(report: ImportReport, print: Print, asked: Asked): void {
  outcomeView('import', report, keptText(report, asked), print);
}

function summaryLine({ summary, status, changes_only }: ImportReport, { dry_run }: Asked): string {
  const counts = countWordings((name) => summary[name]).map(({ text }) => text);
  const read = changes_only ? ' (only what changed was read)' : '';
  const dry = dry_run ? ' (dry run: nothing was written)' : '';
  if (counts.length === 0 && status !== 'failed') counts.push('nothing to do');
  const outcome = counts.length === 0 ? '' : `: ${counts.join(', ')}`;
  return `${counted(summary.seen, 'record')} in ${durationText(summary.duration_ms)}${outcome}${read}${dry}`;
}

function keptText({ summary, account }: ImportReport, { dry_run }: Asked): string {
  if (dry_run) return 'Nothing was written.';
  const written = summary.created + summary.updated;
  const changed = written === 0 ? 'No host was changed' : `Written changes are kept: ${counted(written, 'host')}`;
  return `${changed}. Nothing was archived; "muster import ${shellWord(account)}" completes the run.`;
}
