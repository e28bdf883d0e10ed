import { resolve } from 'node:path';
import { backUp } from '../../../../app/maintenance/operations/back-up.ts';
import { counted } from '../../../../app/words/amounts.ts';
import { printable } from '../../../../app/words/escape.ts';
import type { CommandContext } from '../../context.ts';
import { progressDisplay } from '../../output/progress.ts';

export async function backupCommand(context: CommandContext, file: string, options: { json?: true }): Promise<void> {
  context.storageMustExist = true;
  const progress = progressDisplay(context.terminal.stderr, 'Backing up');
  const input = { file: resolve(context.terminal.workingDirectory, file) };
  const report = await context.value(backUp, input, { progress: progress.update }).finally(() => progress.clear());
  if (options.json) await context.json(report);
  else {
    const records = Object.values(report.counts).reduce((sum, count) => sum + count, 0);
    const size = report.bytes < 1e6 ? `${Math.ceil(report.bytes / 1e3)} kB` : `${(report.bytes / 1e6).toFixed(1)} MB`;
    await context.result(
      `${printable(report.file)}: ${counted(records, 'record')}, ${size}, sha256 ${report.sha256}\n`,
    );
  }
  context.note('Keep the instance key as well, in another place: without it the stored passwords cannot be read.');
}
