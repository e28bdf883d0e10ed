import type * as z from 'zod';
import { firePlaybooks } from '../../../../app/runs/playbooks/operations/fire-playbooks.ts';
import { printable } from '../../../../app/words/escape.ts';
import type { Column } from '../../../../app/words/print.ts';
import type { CommandContext } from '../../context.ts';
import { progressDisplay } from '../../output/progress.ts';

export interface FireOptions {
  readonly dryRun?: true;
  readonly json?: true;
}

export async function firePlaybooksCommand(context: CommandContext, options: FireOptions): Promise<void> {
  const progress = progressDisplay(context.terminal.stderr, 'Firing playbooks');
  let report: Report;
  try {
    const input = { dry_run: options.dryRun === true };
    report = await context.value(firePlaybooks, input, { progress: progress.update });
  } finally {
    progress.clear();
  }
  if (options.json) await context.json(report);
  else {
    if (report.runs.length > 0) await context.table(report.runs, COLUMNS, '');
    await context.result(`${report.message}\n`);
  }
  for (const { rule, message } of report.problems) {
    context.note(context.noteColours.yellow(printable(`rule ${rule}: ${message}`)));
  }
  if (report.status === 'failed') context.failed();
}

type Report = z.infer<typeof firePlaybooks.output>;

const COLUMNS: readonly Column<Report['runs'][number]>[] = [
  { header: 'host', value: (run) => run.hostname },
  { header: 'playbook', value: (run) => run.playbook },
  { header: 'rule', value: (run) => run.rule },
  { header: 'inventory', value: (run) => run.provider },
  {
    header: 'status',
    value: (run) => run.status ?? 'would run',
    paint: (text, run, colours) => (run.status === null || run.status === 'succeeded' ? text : colours.red(text)),
  },
  { header: 'message', value: (run) => run.message, shrink: true },
];
