import type { Command } from 'commander';
import { AppError } from '../../../ports/index.ts';
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
      'Bring a storage that an earlier version wrote up to date, as the start of the service does. An SQLite database is copied first, into the same folder. Stop the service of the earlier version first.',
    )
    .summary('bring the storage of an earlier version up to date')
    .option('--create', 'create the storage if there is none, as the role that owns a PostgreSQL schema does')
    .option('--json', 'answer the outcome as JSON')
    .addHelpText('after', examples('muster storage upgrade'))
    .action(async (options: { readonly json?: true; readonly create?: true }) => {
      context.storageMayUpgrade = true;
      context.storageMayBeMade = options.create === true;
      const { message } = await (await context.app()).services.storage.health();
      if (options.json) await context.json({ status: 'current', message });
      else await context.result(`The storage is up to date: ${message}\n`);
    });

  storage
    .command('grants <role>')
    .description(
      'Print the SQL by which a role of a PostgreSQL database may work with what is stored and not change its schema, for the role that owns the schema to run.',
    )
    .summary('print what a role of the database needs')
    .option('--json', 'answer the statements as JSON')
    .addHelpText('after', examples('muster storage grants muster_app | psql "$OWNER_URL"'))
    .action(async (role: string, options: { readonly json?: true }) => {
      const { storage: opened } = (await context.app()).services;
      const statements = opened.grants?.(role);
      if (statements === undefined)
        throw new AppError('invalid_input', 'this storage has no roles; only PostgreSQL has');
      if (options.json) await context.json({ statements: [...statements] });
      else await context.result(`${statements.join('\n')}\n`);
    });

  ofFeature('storage-tools', storage)
    .command('migrate')
    .description(
      'Copy everything into another storage and compare both. Stop every Muster that uses them first. A migration that was cut off is finished by the same command.',
    )
    .option(
      '--from <url>',
      'where to copy from: sqlite:<path>, postgresql://… or mongodb://… (default: the configured storage)',
    )
    .requiredOption('--to <url>', 'where to copy to; "-" reads the address from the standard input')
    .option('--force', 'delete everything in the target first')
    .option('--json', 'answer counts and checksums as JSON')
    .addHelpText(
      'after',
      examples(
        'muster storage migrate --from sqlite:data/muster.db --to postgresql://muster@db.example.org/muster',
        'echo "$NEW_DATABASE_URL" | muster storage migrate --to -',
      ),
    )
    .action(context.lazily(async () => (await import('./storage/migrate-storage.ts')).migrateStorageCommand));
}
