import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { wholeNumber } from '../option-values.ts';

/** `muster import`, of one account or of all. */
export function defineImport(command: Command, context: CommandContext): void {
  command
    .description(
      'Import the hosts of an account, or with --all of all enabled accounts that are sources. A source that cannot be read to its end, or has nothing, archives no host and makes the command fail.',
    )
    .argument('[account]', 'name of the account')
    .option('--all', 'import all enabled sources, one after the other, and sum up the results')
    .option('--parallel <n>', 'with --all: how many at a time', wholeNumber(1, 8))
    .option('--dry-run', 'count what would happen and write nothing')
    .option('--diff', 'with --dry-run: show what would change in each host')
    .option('--part <part>', 'read one part of the source, if it has several')
    .option('--full', 'read everything, also where the account reads only what changed')
    .option('--inventorize', 'fill the inventory section inventorize_key of hosts that exist, and create no host')
    .option(
      '--archive-up-to <n>',
      'archive at most this many hosts, whatever the threshold of the account says',
      wholeNumber(1),
    )
    .option('--json', 'answer the summary as JSON')
    .addHelpText(
      'after',
      examples(
        'muster import datacentre',
        'muster import datacentre --dry-run --diff',
        'muster import datacentre --json',
        'muster import --all --parallel 4',
      ),
    )
    .action(context.lazily(async () => (await import('./import/import-accounts.ts')).importCommand));
}
