import { mendFiles } from '../../../../app/maintenance/operations/mend-files.ts';
import { runDoctor } from '../../../../app/maintenance/operations/run-doctor.ts';
import { counted } from '../../../../kit/words/amounts.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { CommandContext } from '../../context.ts';
import { canAsk } from '../../secrets.ts';
import { UsageError } from '../../usage-error.ts';

export interface FixOptions {
  readonly fix?: true;
  readonly yes?: true;
}

/** Shows what the doctor considers safe, asks, and does it. Everything else is left to the user. */
export async function fixFindings(context: CommandContext, { fix, yes }: FixOptions): Promise<void> {
  if (fix === undefined) throw new UsageError('--yes belongs to --fix');
  if ((await context.service()) !== undefined) {
    throw new UsageError('--fix mends files of the machine of the service; run it there, without --url');
  }
  context.start = 'tried';
  const { startFailure } = await context.app();
  if (startFailure !== undefined) {
    throw new AppError('failed', `nothing is mended while the storage does not start: ${startFailure.message}`);
  }
  const { findings } = await context.value(runDoctor, {});
  const commands = findings.flatMap((finding) => (finding.safe === true ? (finding.commands ?? []) : []));
  if (commands.length === 0) return context.note('There is nothing to mend that needs no decision.');
  const said = yes === undefined ? 'would be done' : 'is done';
  for (const command of commands) context.note(`${said}: ${command}`);
  if (yes === undefined) {
    if (!canAsk(context)) throw new AppError('failed', 'nothing was changed; say --yes to do that');
    const question = `Do ${commands.length === 1 ? 'that' : `these ${commands.length}`}?`;
    if (!(await context.ask(question))) throw new AppError('failed', 'nothing was changed');
  }
  const { mended, left } = await context.value(mendFiles, { commands });
  for (const { command, message } of left) context.note(`not done: ${command}: ${message}`);
  const rest = left.length === 0 ? '' : `, ${left.length} left`;
  context.note(`${counted(mended.length, 'finding')} mended${rest}. The doctor looks again:`);
}
