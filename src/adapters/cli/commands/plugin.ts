import { type Command, Option } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import type { RunActionOptions } from './plugin/run-action.ts';

/** `muster plugin` */
export function definePlugin(command: Command, context: CommandContext): void {
  command.description('Begin a plugin, or have one do something. "muster plugins" lists those that are loaded.');
  const kinds = ['source', 'target', 'provider', 'rule-type', 'job', 'processor', 'action'];
  command
    .command('new')
    .summary('write a plugin that works, with its tests')
    .description(
      'Write a folder with a plugin that works and whose tests pass, to change it step by step. What is there already is never overwritten.',
    )
    .argument('<name>', "name of the folder and of the plugin's contents")
    .addOption(new Option('--kind <kind>', 'what the plugin brings').choices(kinds).makeOptionMandatory())
    .option('--typescript', 'in TypeScript instead of JavaScript')
    .option('--json', 'answer the folder and its files as JSON')
    .addHelpText(
      'after',
      examples('muster plugin new my-cmdb --kind source', 'muster plugin new my-monitoring --kind target --typescript'),
    )
    .action(context.lazily(async () => (await import('./plugin/new-plugin.ts')).newPluginCommand));
  command
    .command('run')
    .summary('have a plugin do what it offers')
    .description('Run an action of a plugin. "muster plugin actions" lists them.')
    .argument('<plugin>', 'id of the plugin')
    .argument('<action>', 'what it is to do')
    .argument('[members...]', 'what the action takes, as name=value')
    .option('--json', 'answer what the action answers as JSON')
    .addHelpText(
      'after',
      examples('muster plugin run rack-tools rack-report rack=R12', 'muster plugin run rack-tools free-units --json'),
    )
    .action(async (plugin: string, action: string, members: readonly string[], options: RunActionOptions) => {
      const { runActionCommand } = await import('./plugin/run-action.ts');
      await runActionCommand(context, { plugin, action, members }, options);
    });
}
