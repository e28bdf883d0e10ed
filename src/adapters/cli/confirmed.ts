import { printable } from '../../kit/words/escape.ts';
import { AppError } from '../../ports/errors.ts';
import type { CommandContext } from './context.ts';
import { canAsk } from './secrets.ts';
import { UsageError } from './usage-error.ts';

/** Asks before something cannot be undone. Where there is no terminal to ask at, --yes is the answer. */
export async function confirmed(
  context: CommandContext,
  { question, what, yes }: { readonly question: string; readonly what: string; readonly yes?: true | undefined },
): Promise<void> {
  if (yes) return;
  if (!canAsk(context)) throw new UsageError(`${what}; say --yes to do it, or --dry-run to see it`);
  if (!(await context.ask(printable(question)))) throw new AppError('failed', 'nothing was changed');
}
