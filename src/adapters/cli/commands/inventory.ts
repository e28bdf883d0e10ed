import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { UsageError } from '../usage-error.ts';

/** `muster inventory …`, called by inventory consumers: keep what it loads small. */
export function defineInventory(command: Command, context: CommandContext): void {
  command
    .description(
      'Print an inventory as script-inventory JSON. The provider defaults to SERVICE_INVENTORY_PROVIDER, then automation.',
    )
    .argument('[provider]', 'name of an inventory provider; see "muster inventory-providers"')
    .option('--list', 'the whole inventory')
    .option('--host <hostname>', 'the variables of one host')
    .addHelpText(
      'after',
      examples(
        'muster inventory automation --list',
        'muster inventory automation --host=web01.example.org',
        'ansible-inventory -i ansible/inventory --graph',
      ),
    )
    .action(async (provider: string | undefined, options: { list?: true; host?: string }) => {
      if ((options.list === true) === (options.host !== undefined) || options.host?.trim() === '') {
        throw new UsageError('say what to print: --list for the whole inventory, or --host=<hostname> for one host');
      }
      const { renderInventory } = await import('../../../app/inventory/operations/render-inventory.ts');
      const { inventoryProvider, inventoryHost, inventoryHosts } = await context.inventoryChoice();
      const single = options.host ?? inventoryHost;
      const answer = await context.stream(renderInventory, {
        provider: provider ?? inventoryProvider ?? 'automation',
        ...(single === undefined ? {} : { host: single, document: options.host === undefined }),
        ...(single !== undefined || inventoryHosts === undefined
          ? {}
          : { hosts: JSON.parse(await readFile(inventoryHosts, 'utf8')) }),
      });
      await context.resultStream(answer);
    });
}

/** `muster ansible inventory …`, as inventory plugins and scripts of cmdbsyncer call it. */
export function defineAnsible(command: Command, context: CommandContext): void {
  defineInventory(command.command('inventory'), context);
}
