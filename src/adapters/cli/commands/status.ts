import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';

/** `muster status` */
export function defineStatus(command: Command, context: CommandContext): void {
  command
    .description(
      'Say whether everything is all right: hosts, each source and target with its last run, what runs now, and what needs attention. Exit code 1 when something does.',
    )
    .option('--json', 'answer all of it as JSON')
    .addHelpText(
      'after',
      examples(
        'muster status',
        "muster status --json | jq '.attention'",
        'muster status > /dev/null || notify-send muster',
      ),
    )
    .action(context.lazily(async () => (await import('./status/show-status.ts')).statusCommand));
}
