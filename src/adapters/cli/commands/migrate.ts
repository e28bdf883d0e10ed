import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { wholeNumber } from '../option-values.ts';
import type { CheckExportOptions } from './migrate/check-export.ts';

/** `muster migrate …` */
export function defineMigrate(migrate: Command, context: CommandContext): void {
  migrate
    .command('check')
    .description(
      'Show the result of taking over an export of an existing installation, before anything is stored: what works, what is kept, what differs, which passwords have to be entered, what each job does, and which users get more or less access.',
    )
    .argument('<export>', 'file of an export, or - for the standard input')
    .option('--skip-broken', 'name lines that are not JSON and go on')
    .option('--type <type>', 'type of documents whose type neither the content nor the name of the file says')
    .option('--json', 'answer the report as JSON')
    .addHelpText('after', examples('muster migrate check export.jsonl'))
    .action(async (file: string, options: CheckExportOptions) => {
      context.start = 'optional';
      const { checkExportCommand } = await import('./migrate/check-export.ts');
      await checkExportCommand(context, file, options);
    });

  const compare = migrate
    .command('compare')
    .description(
      'Compare the inventory of the other installation with ours, variable by variable, and say which rule or source made ours. Exit code 1 when there are differences.',
    )
    .argument('[file]', 'what "ansible inventory --list" printed there, or - for the standard input');
  withOther(compare)
    .option('--examples <n>', 'hosts to name for each cause', wholeNumber(1, 1000))
    .option('--json', 'answer the differences as JSON')
    .addHelpText(
      'after',
      examples(
        'muster migrate compare old.json',
        'muster migrate compare --url https://old.example.org --user olga',
        'muster migrate compare --provider network old-network.json --json',
      ),
    )
    .action(context.lazily(async () => (await import('./migrate/compare-inventory.ts')).compareInventoryCommand));

  const run = migrate
    .command('run')
    .description(
      'Go through a migration at a terminal: check, import, passwords, compare. Each step can be left out and done again. Without a terminal it says which commands to run.',
    )
    .argument('<export>', 'file of an export');
  withOther(run)
    .option('--inventory <file>', 'the other inventory, as a file, for the comparison')
    .addHelpText('after', examples('muster migrate run export.jsonl --inventory old.json'))
    .action(context.lazily(async () => (await import('./migrate/run-migration.ts')).runMigrationCommand));
}

/** Adds the options that locate the other installation. */
function withOther(command: Command): Command {
  return command
    .option('--provider <name>', 'the inventory to compare, by its name here', 'automation')
    .option('--url <url>', 'address of the other installation instead of a file')
    .option('--user <name>', 'user of the other installation; the password is asked for')
    .option('--password-stdin', 'read the password of that user from the standard input');
}
