import { checkStorage } from '../../../../app/storage-tools/operations/check-storage.ts';
import { counted, grouped } from '../../../../kit/words/amounts.ts';
import { printable } from '../../../../kit/words/escape.ts';
import type { CommandContext } from '../../context.ts';

interface CheckStorageOptions {
  readonly fix?: true;
  readonly json?: true;
}

interface Problem {
  readonly subject: string;
  readonly message: string;
  readonly fixed: boolean;
}

export async function checkStorageCommand(context: CommandContext, options: CheckStorageOptions): Promise<void> {
  const answer = await context.stream(checkStorage, { fix: options.fix === true });
  let found = 0;
  let fixed = 0;
  for await (const chunk of answer.body) {
    context.terminal.signal.throwIfAborted();
    const text = chunk.toString();
    if (options.json) await context.result(text);
    const problem = problemOf(text);
    if (problem === undefined) continue;
    found++;
    if (problem.fixed) fixed++;
    if (!options.json) await context.result(`${lineOf(context, problem)}\n`);
  }
  if (found === 0) {
    context.note('Everything fits together.');
    return;
  }
  const repaired = fixed === 0 ? '' : `, ${grouped(fixed)} repaired`;
  context.note(`muster: ${counted(found, 'problem')}${repaired}`);
  if (fixed < found) context.failed();
}

/** Returns the problem in a chunk. Each problem is a chunk of its own; those between them are the rest of the document. */
function problemOf(chunk: string): Problem | undefined {
  const start = chunk.indexOf('\n{"subject"');
  return start < 0 || start > 1 ? undefined : (JSON.parse(chunk.slice(start + 1)) as Problem);
}

function lineOf({ colours }: CommandContext, { subject, message, fixed }: Problem): string {
  const sign = fixed ? colours.green('✓') : colours.red('✗');
  return `${sign} ${colours.bold(printable(subject))}: ${printable(message)}${fixed ? ' (repaired)' : ''}`;
}
