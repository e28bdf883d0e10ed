import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';

/** `muster restore` */
export function defineRestore(command: Command, context: CommandContext): void {
  command
    .description(
      'Make the storage hold what a backup holds. The file is verified before anything is touched. A restore that was cut off is finished by the same command.',
    )
    .argument('<file>', 'path of the backup')
    .option('--force', 'delete everything that is stored first')
    .option('--identity <file>', 'file with the identity of age, for a backup that was encrypted for recipients')
    .option('--json', 'answer counts and checksums as JSON')
    .addHelpText(
      'after',
      examples(
        'muster restore /var/backups/muster.gz',
        'muster restore /var/backups/muster.gz --force',
        'muster restore muster.gz.age --identity backup.key',
      ),
    )
    .action(context.lazily(async () => (await import('./storage/restore-backup.ts')).restoreCommand));
}
