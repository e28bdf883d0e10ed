import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import type { InitOptions } from './init/write-installation.ts';

/** `muster init` */
export function defineInit(command: Command, context: CommandContext): void {
  command
    .description(
      'Begin an installation in a folder: a configuration, a sample of real hosts, first rules, the inventory script and an empty store. No file is overwritten and no user is made.',
    )
    .argument('[folder]', 'the folder, which is created if it does not exist (default: this one)')
    .option('--force', 'begin in a folder that holds something; files that are there stay as they are')
    .option('--json', 'answer the folder and its new files as JSON')
    .addHelpText('after', examples('muster init lab', 'muster init', 'muster init /srv/muster --force'))
    .action(async (folder: string | undefined, options: InitOptions) => {
      const { initCommand } = await import('./init/write-installation.ts');
      await initCommand(context, folder ?? '.', options);
    });
}
