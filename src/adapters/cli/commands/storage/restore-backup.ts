import { resolve } from 'node:path';
import { identitiesIn } from '../../../../app/backups/age-file.ts';
import { restoreBackup } from '../../../../app/backups/operations/restore-backup.ts';
import { requireBackup } from '../../../../app/backups/read-backup.ts';
import { printable } from '../../../../kit/words/escape.ts';
import type { CommandContext } from '../../context.ts';
import { PART_COLUMNS } from './parts-table.ts';

interface RestoreOptions {
  readonly force?: true;
  readonly identity?: string;
  readonly json?: true;
}

export async function restoreCommand(context: CommandContext, file: string, options: RestoreOptions): Promise<void> {
  await context.requireStore();
  const { workingDirectory } = context.terminal;
  const identity = options.identity === undefined ? {} : { identity: resolve(workingDirectory, options.identity) };
  const input = { file: resolve(workingDirectory, file), force: options.force === true, ...identity };
  // Checked before the storage is opened, because opening creates a missing one.
  await requireBackup(input.file, input.identity === undefined ? [] : await identitiesIn(input.identity));
  const report = await context.longValue('Restoring', restoreBackup, input);
  if (options.json) await context.json(report);
  else await context.table(report.parts, PART_COLUMNS, '');
  const finished = report.resumed ? 'The restore that was cut off is finished. ' : '';
  context.note(
    `${finished}Everything is as it was on ${printable(report.created)} (Muster ${printable(report.product)}). "muster doctor" checks whether the instance key fits.`,
  );
}
