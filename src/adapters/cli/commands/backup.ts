import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';

/** `muster backup` */
export function defineBackup(command: Command, context: CommandContext): void {
  command
    .description(
      'Write everything that is stored into one compressed file with a checksum, also while the service runs. Keep the instance key apart: it is not in the backup.',
    )
    .argument('<file>', 'path of the backup; an older backup of that name is replaced')
    .option('--json', 'answer counts and checksum as JSON')
    .addHelpText('after', examples('muster backup /var/backups/muster.gz'))
    .action(async (file: string, options: { json?: true }) => {
      const { backupCommand } = await import('./storage/back-up.ts');
      await backupCommand(context, file, options);
    });
}
