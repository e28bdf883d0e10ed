import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../help.ts';
import { ofFeature } from '../of-feature.ts';

/** `muster storage …` */
export function defineStorage(storage: Command, context: CommandContext): void {
  ofFeature('storage-tools', storage)
    .command('check')
    .description(
      'Check every record and every reference, and list what is damaged or missing. Problems that remain make the command fail.',
    )
    .option('--fix', 'repair what can be repaired without loss')
    .option('--json', 'answer the problems as JSON')
    .addHelpText('after', examples('muster storage check', 'muster storage check --fix'))
    .action(context.lazily(async () => (await import('./storage/check-storage.ts')).checkStorageCommand));

  storage
    .command('upgrade')
    .description(
      'Bring a storage that an earlier version wrote up to date, as the start of the service does. An SQLite database is copied before, beside itself. Stop the service of the earlier version first.',
    )
    .summary('bring the storage of an earlier version up to date')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText('after', examples('muster storage upgrade'))
    .action(async (options: { readonly json?: true }) => {
      context.storageMayUpgrade = true;
      const { message } = await (await context.app()).services.storage.health();
      if (options.json) await context.json({ status: 'current', message });
      else await context.result(`The storage is up to date: ${message}\n`);
    });

  ofFeature('storage-tools', storage)
    .command('migrate')
    .description(
      'Copy everything into another storage and compare both. Stop every Muster that uses them first. A migration that was cut off is finished by the same command.',
    )
    .option('--from <url>', 'where to copy from: sqlite:<path> or mongodb://… (default: the configured storage)')
    .requiredOption('--to <url>', 'where to copy to; "-" reads the address from the standard input')
    .option('--force', 'delete everything in the target first')
    .option('--json', 'answer counts and checksums as JSON')
    .addHelpText(
      'after',
      examples(
        'muster storage migrate --from sqlite:data/muster.db --to mongodb://db.example.org/muster',
        'echo "$MONGODB_URL" | muster storage migrate --to -',
      ),
    )
    .action(context.lazily(async () => (await import('./storage/migrate-storage.ts')).migrateStorageCommand));
}
