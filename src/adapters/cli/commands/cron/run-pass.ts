import type * as z from 'zod';
import { runCronGroup } from '../../../../app/runs/cron/operations/run-group.ts';
import { runCronPass } from '../../../../app/runs/cron/operations/run-pass.ts';
import { printable } from '../../../../kit/words/escape.ts';
import type { CommandContext } from '../../context.ts';

export async function runPassCommand(context: CommandContext, options: { json?: true }): Promise<void> {
  const { groups } = await context.value(runCronPass, {});
  if (groups.some((group) => group.state !== 'done')) context.failed();
  if (options.json) await context.json(groups);
  else if (groups.length === 0) context.note('No cron group is due.');
  else await showReports(context, groups);
  context.terminal.signal.throwIfAborted();
}

/** Runs one group now. */
export async function runGroupCommand(
  context: CommandContext,
  group: string,
  { despitePause = false, ...options }: { json?: true; despitePause?: boolean },
): Promise<void> {
  const report = await context.value(runCronGroup, { group_name: group, despite_pause: despitePause });
  if (report.state !== 'done') context.failed();
  if (options.json) await context.json(report);
  else await showReports(context, [report]);
}

type Reports = readonly z.infer<typeof runCronGroup.output>[];

async function showReports(context: CommandContext, groups: Reports): Promise<void> {
  const { colours } = context;
  for (const group of groups) {
    const state = group.state === 'done' ? colours.green(group.state) : colours.red(group.state);
    await context.result(`${colours.bold(printable(group.name))}  ${state}\n`);
    for (const job of group.jobs) {
      const mark = job.failed ? colours.red('failed: ') : '';
      await context.result(`  ${printable(job.name)}: ${mark}${printable(job.message)}\n`);
    }
    if (group.jobs.length === 0) await context.result(`  ${printable(group.message)}\n`);
  }
}
