import { runAutorules } from '../../../../app/rules/operations/run-autorules.ts';
import type { CommandContext } from '../../context.ts';

export async function runAutorulesCommand(
  context: CommandContext,
  options: { debug?: true; autorule?: string; json?: true },
): Promise<void> {
  // Commands are quiet about what goes well, unless they are asked.
  if (options.debug) context.configure({ LOG_LEVEL: 'debug' });
  const answer = await context.longValue('Running autorules', runAutorules, {
    debug: options.debug === true,
    ...(options.autorule === undefined ? {} : { autorule: options.autorule }),
  });
  if (options.json) await context.json(answer);
  else context.note('The autorules ran. What they did: muster logs --limit 1');
}
