import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { addListOptions } from '../list-options.ts';
import { wholeNumber } from '../option-values.ts';

/** Columns of the log; the audit log has its own ones in its table. */
const COLUMNS = ['time', 'source', 'outcome', 'message'];

/** `muster logs` */
export function defineLogs(command: Command, context: CommandContext): void {
  command
    .description(
      'Show the log of imports, jobs and triggers, newest first; --audit shows who wrote or was refused what.',
    )
    .option('--limit <n>', 'at most this many entries (default 20; with --since, 10000)', wholeNumber(1, 10_000))
    .option('--since <time>', 'only what is newer: an age (30m, 2h, 7d), a time in UTC, today or yesterday')
    .option('--follow', 'go on and show entries as they come, until Ctrl-C')
    .option('--errors', 'only entries with errors; with --audit: only what failed or was refused')
    .option('--text <text>', 'only entries that contain this text, in any case')
    .option('--source <name>', 'only of this component; alone, its latest entry')
    .option('--audit', 'the audit log instead')
    .option('--actor <name>', 'with --audit: only this user')
    .option('--operation <name>', 'with --audit: only this operation');
  addListOptions(command, COLUMNS);
  command
    .option('--json', 'answer the entries as JSON; with --follow an entry a line')
    .addHelpText(
      'after',
      examples(
        'muster logs --limit 5',
        'muster logs --since 2h --errors',
        'muster logs --follow',
        'muster logs --source import:datacentre',
        'muster logs --audit --actor olga --since yesterday -o csv',
      ),
    )
    .action(context.lazily(async () => (await import('./logs/show-logs.ts')).showLogs));
}
