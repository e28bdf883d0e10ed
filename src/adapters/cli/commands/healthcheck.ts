import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';

/** `muster healthcheck`, which containers run now and then. */
export function defineHealthcheck(command: Command, context: CommandContext): void {
  command
    .description(
      'Succeed when the service of this configuration answers on this machine. Not whether it is ready: a node whose database is away recovers by itself, and a restart would not help.',
    )
    .addHelpText('after', examples('muster healthcheck'))
    .action(context.lazily(async () => (await import('./system/healthcheck.ts')).checkHealth));
}
