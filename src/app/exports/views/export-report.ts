import { countsWording } from '../../../kit/summaries/export-summary.ts';
import { textOf } from '../../../kit/worded.ts';
import { counted, durationText, grouped } from '../../../kit/words/amounts.ts';
import { printable, shellWord } from '../../../kit/words/escape.ts';
import type { Print } from '../../kernel/print.ts';
import { outcomeView, troubleView } from '../../runs/views/trouble.ts';
import type { ExportReport } from '../export-report.ts';
import { countsWording as plannedWording } from '../plans/said-counts.ts';
import { entryText } from '../plans/views/plans.ts';

interface Asked {
  readonly dry_run: boolean;
}

/** Returns the counts at the top level, as scripts read them, with the rest next to them. */
export function exportAnswer({ summary, ...report }: ExportReport, { dry_run }: Asked): object {
  return { ...summary, dry_run, ...report };
}

/** The counts, and the hosts that the target did not take. */
export async function exportView(report: ExportReport, print: Print, asked: Asked): Promise<void> {
  await print.result(`${summaryLine(report, asked)}\n`);
  for (const change of report.changes ?? []) await print.result(entryText(change, print));
  const unshown = (report.changes_total ?? 0) - (report.changes ?? []).length;
  if (unshown > 0)
    print.note(`… and ${counted(unshown, 'more change')}; "muster plan ${shellWord(report.account)}" stores all`);
  if (report.documents !== undefined) await print.result(documentLines(report, asked));
  for (const name of report.empty_fields ?? []) {
    const { written, unchanged } = report.summary;
    print.note(`${printable(name)} is empty for all ${counted(written + unchanged, 'host')}; is its name right?`);
  }
  const lines = report.failures.map(({ hostname, reason }) => `failed: ${hostname}: ${reason}`);
  troubleView(lines, report.failures_total, 'more host', print);
}

export function exportOutcome(report: ExportReport, print: Print): void {
  if (report.waits === true) {
    print.note(print.noteColours.yellow(`muster: export of ${report.account} waits: ${printable(report.message)}`));
    print.failed();
    return;
  }
  const again = `"muster export ${shellWord(report.account)}" completes the run.`;
  outcomeView('export', report, `Changes written so far are kept; nothing more is written or removed. ${again}`, print);
}

const SHOWN_LINES = 8;
const LONGEST_LINE = 160;

const WOULD: Readonly<Record<string, string>> = {
  created: 'would be created',
  changed: 'would be changed',
  deleted: 'would be deleted',
  left: 'would be left, because it was changed there',
};
const IS: Readonly<Record<string, string>> = {
  ...WOULD,
  created: 'created',
  changed: 'changed',
  deleted: 'deleted',
  left: 'left, because it was changed there',
};

/** The files that changed, one a line. */
function documentLines({ documents = [], documents_total = 0 }: ExportReport, { dry_run }: Asked): string {
  const words = dry_run ? WOULD : IS;
  const lines = documents.map(
    ({ name, change, beginning = '', lines: changed }) =>
      `${printable(name)}: ${words[change] ?? change}${changesText(changed)}\n${beginningLines(beginning)}`,
  );
  const more = documents_total - documents.length;
  return `${lines.join('')}${more > 0 ? `and ${counted(more, 'more file')}\n` : ''}`;
}

type LinesOfDocument = NonNullable<ExportReport['documents']>[number]['lines'];

function changesText(lines: LinesOfDocument): string {
  if (lines === undefined) return '';
  const { added, removed, kept } = lines;
  return `: ${counted(added, 'new line')}, ${grouped(removed)} would go, ${grouped(kept)} would stay`;
}

/** The first lines, so that people see what they would get; `--json` has more of them. */
function beginningLines(text: string): string {
  if (text === '') return '';
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const shown = lines.slice(0, SHOWN_LINES).map((line) => {
    const cut = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
    return `  | ${printable(cut)}\n`;
  });
  return `${shown.join('')}${lines.length > SHOWN_LINES ? '  | …\n' : ''}`;
}

function summaryLine({ summary, objects, status, message }: ExportReport, { dry_run }: Asked): string {
  if (objects !== undefined) {
    const planned = `${textOf(plannedWording(objects))}${dry_run ? ' (dry run: nothing was written)' : ''}`;
    // The changes that were made, not those that were planned.
    const what = dry_run || status === 'failed' ? planned : printable(message);
    return `${counted(summary.seen, 'object')} in ${durationText(summary.duration_ms)}: ${what}`;
  }
  const counts = textOf(countsWording(summary, dry_run));
  const dry = dry_run ? ' (dry run: nothing was written)' : '';
  return `${counted(summary.seen, 'host')} in ${durationText(summary.duration_ms)}: ${counts}${dry}`;
}
