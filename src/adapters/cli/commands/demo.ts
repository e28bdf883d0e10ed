import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { wholeNumber } from '../option-values.ts';

/** `muster demo` */
export function defineDemo(command: Command, context: CommandContext): void {
  command
    .description(
      'Import the bundled sample of real hosts, apply sample rules, print a summary and serve the inventory. ' +
        'Works on a database of its own (data/demo.db) and can be run again.',
    )
    .option('--http-host <address>', 'address to listen on')
    .option('--http-port <port>', 'port to listen on; without it 8080, or a free one', wholeNumber(0, 65_535))
    .option('--no-serve', 'end after the summary')
    .addHelpText('after', examples('muster demo', 'muster demo --no-serve'))
    .action(context.lazily(async () => (await import('./demo/demo.ts')).demoCommand));
}
