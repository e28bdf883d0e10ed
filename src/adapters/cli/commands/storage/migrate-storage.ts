import { migrateStorage } from '../../../../app/storage-tools/operations/migrate-storage.ts';
import { printable } from '../../../../kit/words/escape.ts';
import type { CommandContext } from '../../context.ts';
import { readSecretLine } from '../../input-text.ts';
import { UsageError } from '../../usage-error.ts';
import { PART_COLUMNS } from './parts-table.ts';

interface MigrateStorageOptions {
  readonly from?: string;
  readonly to: string;
  readonly force?: true;
  readonly json?: true;
}

export async function migrateStorageCommand(context: CommandContext, options: MigrateStorageOptions): Promise<void> {
  await context.requireStore();
  if (options.to.trim() === '') throw new UsageError('--to is empty; name the address to copy to');
  const to = options.to === '-' ? await readSecretLine(context.terminal) : options.to;
  if (to.trim() === '') throw new UsageError('the standard input holds no address; pipe one line into the command');
  if (to.trim().startsWith('memory:'))
    throw new UsageError('memory: would be gone when the command ends; name a database');
  // The source is the storage of this call, so that its audit log records the migration.
  if (options.from !== undefined) context.configure({ DATABASE_URL: options.from });
  const input = { to: to.trim(), force: options.force === true };
  const report = await context.longValue('Migrating', migrateStorage, input);
  if (options.json) await context.json(report);
  else await context.table(report.parts, PART_COLUMNS, '');
  const finished = report.resumed ? 'The migration that was cut off is finished. ' : '';
  context.note(
    `${finished}${printable(report.to)} holds what ${printable(report.from)} holds. Name it in DATABASE_URL to use it, with the same instance key.`,
  );
}
