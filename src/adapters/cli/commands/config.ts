import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';

/** `muster config …` */
export function defineConfig(config: Command, context: CommandContext): void {
  config.addHelpText('after', examples('muster config show'));
  config
    .command('show')
    .description(
      'Show every configuration key: its value, where that came from (default, file, variable or option), and what it is for.',
    )
    .summary('show every key, its value and where that came from')
    .option('--json', 'answer a JSON array of keys')
    .addHelpText('after', examples('muster config show', 'SERVICE_HTTP_PORT=9000 muster config show --json'))
    .action(async (options: { json?: true }) => {
      const { showConfigCommand } = await import('./system/show-config.ts');
      await showConfigCommand(context, options);
    });
}
