import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import type { ExportOptions } from './export/export-account.ts';

/** `muster export` */
export function defineExport(command: Command, context: CommandContext): void {
  command
    .description(
      'Export the hosts to the target of an account, as the rules of its project make them. A run that fails takes nothing away from the target, and makes the command fail.',
    )
    .argument('<account>', 'name of the account')
    .option('--dry-run', 'count what would happen and write nothing')
    .option('--json', 'answer the summary as JSON')
    .addHelpText(
      'after',
      examples('muster export everything', 'muster export everything --dry-run', 'muster export everything --json'),
    )
    .action(async (account: string, options: ExportOptions) => {
      const { exportCommand } = await import('./export/export-account.ts');
      await exportCommand(context, account, options);
    });
}
