import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import type { ImportOptions } from './import/import-account.ts';

/** `muster import` */
export function defineImport(command: Command, context: CommandContext): void {
  command
    .description(
      'Import the hosts of an account. A source that cannot be read to its end, or has nothing, archives no host and makes the command fail.',
    )
    .argument('<account>', 'name of the account')
    .option('--dry-run', 'count what would happen and write nothing')
    .option('--diff', 'with --dry-run: show what would change in each host')
    .option('--json', 'answer the summary as JSON')
    .addHelpText(
      'after',
      examples(
        'muster import datacentre',
        'muster import datacentre --dry-run --diff',
        'muster import datacentre --json',
      ),
    )
    .action(async (account: string, options: ImportOptions) => {
      const { importCommand } = await import('./import/import-account.ts');
      await importCommand(context, account, options);
    });
}
