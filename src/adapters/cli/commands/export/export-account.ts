import { exportAccount } from '../../../../app/runs/export/operations/export-account.ts';
import { counted, durationText } from '../../../../app/words/amounts.ts';
import { printable, shellWord } from '../../../../app/words/escape.ts';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../exit-codes.ts';
import { progressDisplay } from '../../output/progress.ts';

export interface ExportOptions {
  readonly dryRun?: true;
  readonly json?: true;
}

type Report = Awaited<ReturnType<typeof exportAccount.run>>;

/** Hosts that are named on the error stream; all of them are in --json and in the log. */
const MAX_NAMED = 25;

export async function exportCommand(context: CommandContext, account: string, options: ExportOptions): Promise<void> {
  const progress = progressDisplay(context.terminal.stderr, `Exporting ${account}`);
  let report: Report;
  try {
    const input = { account, dry_run: options.dryRun === true };
    report = await context.value(exportAccount, input, { progress: progress.update });
  } finally {
    progress.clear();
  }
  if (options.json) await context.json(jsonAnswer(report, options));
  else await context.result(`${summaryLine(report, options)}\n`);
  noteTrouble(context, report, options);
}

/** The counts at the top level, as scripts read them; the rest beside them. */
function jsonAnswer({ summary, ...report }: Report, options: ExportOptions): object {
  return { ...summary, dry_run: options.dryRun === true, ...report };
}

function summaryLine({ summary }: Report, options: ExportOptions): string {
  const counts = (['written', 'unchanged', 'failed'] as const)
    .filter((name) => summary[name] > 0)
    .map((name) => `${summary[name].toLocaleString('en-US')} ${name}`);
  const dry = options.dryRun ? ' (dry run: nothing was written)' : '';
  return `${counted(summary.seen, 'host')} in ${durationText(summary.duration_ms)}: ${counts.join(', ') || 'nothing was done'}${dry}`;
}

function noteTrouble(context: CommandContext, report: Report, options: ExportOptions): void {
  const { noteColours } = context;
  if (!options.json) {
    const named = report.failures.slice(0, MAX_NAMED);
    for (const { hostname, reason } of named) {
      context.note(noteColours.yellow(printable(`failed: ${hostname}: ${reason}`)));
    }
    const unnamed = report.failures_total - named.length;
    if (unnamed > 0) context.note(noteColours.yellow(`… and ${counted(unnamed, 'more host')} (see --json)`));
  }
  if (report.cancelled) {
    context.note(
      `muster: stopped. What was written stays; nothing more is written or removed. "muster export ${shellWord(report.account)}" completes the run.`,
    );
    context.exitCode = EXIT.cancelled;
    return;
  }
  if (report.status === 'done') return;
  context.note(
    noteColours.red(
      `muster: export of ${report.account} ${report.status === 'failed' ? 'failed' : 'is not complete'}: ${printable(report.message)}`,
    ),
  );
  context.failed();
}
