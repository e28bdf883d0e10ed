import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';

/** `muster plugins` */
export function definePlugins(command: Command, context: CommandContext): void {
  command
    .description('List all plugins with what they provide. A broken one is named with the reason.')
    .option('--json', 'answer a JSON array of plugins')
    .addHelpText('after', examples('muster plugins', 'SERVICE_PLUGINS=./plugins/racks muster plugins'))
    .action(async (options: { json?: true }) => {
      const { showPlugins } = await import('./system/show-plugins.ts');
      await showPlugins(context, options);
    });
}
