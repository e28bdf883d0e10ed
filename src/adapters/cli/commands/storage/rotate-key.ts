import { rotateKey } from '../../../../app/maintenance/operations/rotate-key.ts';
import { counted } from '../../../../app/words/amounts.ts';
import { printable } from '../../../../app/words/escape.ts';
import type { CommandContext } from '../../context.ts';
import { progressDisplay } from '../../output/progress.ts';

export async function rotateKeyCommand(context: CommandContext, options: { json?: true }): Promise<void> {
  context.storageMustExist = true;
  const progress = progressDisplay(context.terminal.stderr, 'Sealing secrets anew');
  const report = await context.value(rotateKey, {}, { progress: progress.update }).finally(() => progress.clear());
  if (options.json) await context.json(report);
  else await context.result(`The instance key is new; ${counted(report.resealed, 'secret')} sealed anew\n`);
  for (const subject of report.unreadable) {
    context.note(
      context.noteColours.yellow(`not readable under the old key either, enter it again: ${printable(subject)}`),
    );
  }
  context.note('Backups from before need the old key. Other nodes need a copy of the new key file.');
}
