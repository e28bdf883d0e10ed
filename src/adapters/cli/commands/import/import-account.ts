import { importAccount } from '../../../../app/runs/import/operations/import-account.ts';
import { counted, durationText } from '../../../../app/words/amounts.ts';
import { changeLine } from '../../../../app/words/changes.ts';
import { printable, shellWord } from '../../../../app/words/escape.ts';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../exit-codes.ts';
import { progressDisplay } from '../../output/progress.ts';
import { UsageError } from '../../usage-error.ts';

export interface ImportOptions {
  readonly dryRun?: true;
  readonly diff?: true;
  readonly json?: true;
}

type Report = Awaited<ReturnType<typeof importAccount.run>>;

/** Records that are named on the error stream; all of them are in --json and in the log. */
const MAX_NAMED = 25;

export async function importCommand(context: CommandContext, account: string, options: ImportOptions): Promise<void> {
  if (options.diff && !options.dryRun) throw new UsageError('--diff belongs to --dry-run');
  const progress = progressDisplay(context.terminal.stderr, `Importing ${account}`);
  let report: Report;
  try {
    const input = { account, dry_run: options.dryRun === true, diff: options.diff === true };
    report = await context.value(importAccount, input, { progress: progress.update });
  } finally {
    progress.clear();
  }
  if (options.json) await context.json(jsonAnswer(report, options));
  else await writeReport(context, report, options);
  noteTrouble(context, report, options);
}

/** The counts at the top level, as scripts read them; the rest beside them. */
function jsonAnswer({ summary, diffs, ...report }: Report, options: ImportOptions): object {
  return { ...summary, dry_run: options.dryRun === true, ...report, ...(options.diff ? { diffs } : {}) };
}

async function writeReport(context: CommandContext, report: Report, options: ImportOptions): Promise<void> {
  for (const diff of report.diffs) {
    const head = diff.outcome === 'created' ? context.colours.green('+ ') : '~ ';
    const lines = diff.changes.map((change) => changeLine(change, context.colours));
    await context.result(`${[`${head}${context.colours.bold(printable(diff.hostname))}`, ...lines].join('\n')}\n`);
  }
  await context.result(`${summaryLine(report, options)}\n`);
  if (report.archived_sample.length > 0) {
    const more = report.summary.archived > report.archived_sample.length ? ', …' : '';
    const words = options.dryRun || report.summary.archived === 0 ? 'would be archived' : 'archived';
    context.note(`${words}: ${report.archived_sample.map(printable).join(', ')}${more}`);
  }
}

function summaryLine({ summary, status }: Report, options: ImportOptions): string {
  const counts = (['created', 'updated', 'unchanged', 'archived', 'conflicts', 'skipped', 'failed'] as const)
    .filter((name) => summary[name] > 0)
    .map((name) => `${summary[name].toLocaleString('en-US')} ${name}`);
  const dry = options.dryRun ? ' (dry run: nothing was written)' : '';
  if (counts.length === 0 && status !== 'failed') counts.push('nothing to do');
  const outcome = counts.length === 0 ? '' : `: ${counts.join(', ')}`;
  return `${counted(summary.seen, 'record')} in ${durationText(summary.duration_ms)}${outcome}${dry}`;
}

function noteTrouble(context: CommandContext, report: Report, options: ImportOptions): void {
  const { noteColours } = context;
  if (!options.json) {
    for (const record of report.not_written.slice(0, MAX_NAMED)) {
      const name = record.hostname === '' ? '' : ` ${record.hostname}`;
      context.note(noteColours.yellow(printable(`${record.kind}: ${record.position}${name}: ${record.reason}`)));
    }
    const unnamed = report.not_written_total - Math.min(report.not_written.length, MAX_NAMED);
    if (unnamed > 0) context.note(noteColours.yellow(`… and ${counted(unnamed, 'more record')} (see --json)`));
  }
  if (report.cancelled) {
    context.note(`muster: stopped. ${kept(report, options)}`);
    context.exitCode = EXIT.cancelled;
    return;
  }
  if (report.status === 'done') return;
  context.note(
    noteColours.red(
      `muster: import of ${report.account} ${report.status === 'failed' ? 'failed' : 'is not complete'}: ${printable(report.message)}`,
    ),
  );
  context.failed();
}

function kept({ summary, account }: Report, options: ImportOptions): string {
  if (options.dryRun) return 'Nothing was written.';
  const written = summary.created + summary.updated;
  const changed = written === 0 ? 'No host was changed' : `What was written is kept: ${counted(written, 'host')}`;
  return `${changed}. Nothing was archived; "muster import ${shellWord(account)}" completes the run.`;
}
