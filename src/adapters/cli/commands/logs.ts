import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { wholeNumber } from '../option-values.ts';
import type { LogsOptions } from './logs/show-logs.ts';

/** `muster logs` */
export function defineLogs(command: Command, context: CommandContext): void {
  command
    .description(
      'Show the log of imports, jobs and triggers, newest first; --audit shows who wrote or was refused what.',
    )
    .option('--limit <n>', 'at most so many entries', wholeNumber(1, 10_000), 20)
    .option('--source <name>', 'only the latest entry of this component')
    .option('--audit', 'the audit log instead')
    .option('--actor <name>', 'with --audit: only this user')
    .option('--operation <name>', 'with --audit: only this operation')
    .option('--json', 'answer the entries as JSON')
    .addHelpText(
      'after',
      examples('muster logs --limit 5', 'muster logs --source import:datacentre', 'muster logs --audit --actor olga'),
    )
    .action(async (options: LogsOptions) => {
      const { showLogs } = await import('./logs/show-logs.ts');
      await showLogs(context, options);
    });
}
