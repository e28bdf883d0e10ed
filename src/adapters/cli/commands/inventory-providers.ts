import type { Command } from 'commander';
import { printable } from '../../../app/words/escape.ts';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';

/** `muster inventory-providers` */
export function defineInventoryProviders(command: Command, context: CommandContext): void {
  command
    .description(
      'List the names of all inventory providers, one a line: those of plugins and one for each enabled project.',
    )
    .option('--json', 'answer {"providers": […]}')
    .addHelpText('after', examples('muster inventory-providers', 'muster inventory-providers --json'))
    .action(async (options: { json?: true }) => {
      const { listProviders } = await import('../../../app/inventory/operations/list-providers.ts');
      const answer = await context.value(listProviders, {});
      if (options.json) await context.json(answer);
      else await context.result(answer.providers.map((name) => `${printable(name)}\n`).join(''));
    });
}
