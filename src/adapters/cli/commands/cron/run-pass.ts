import { runCronPass } from '../../../../app/operations/cron/run-pass.ts';
import type { CommandContext } from '../../context.ts';

export async function runPassCommand(context: CommandContext, options: { json?: true }): Promise<void> {
  const { groups } = await context.value(runCronPass, {});
  if (groups.some((group) => group.state !== 'done')) context.failed();
  if (options.json) return context.json(groups);
  if (groups.length === 0) return context.note('No cron group is due.');
  const { colours } = context;
  for (const group of groups) {
    const state = group.state === 'done' ? colours.green(group.state) : colours.red(group.state);
    await context.result(`${colours.bold(group.name)}  ${state}\n`);
    for (const job of group.jobs) {
      const mark = job.failed ? colours.red('failed: ') : '';
      await context.result(`  ${job.name}: ${mark}${job.message}\n`);
    }
    if (group.jobs.length === 0) await context.result(`  ${group.message}\n`);
  }
}
