import { CommanderError } from 'commander';
import { AppError } from '../../ports/errors.ts';
import type { OpenApplication } from './application.ts';
import { CommandContext } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { asCalledHere } from './guesses.ts';
import { OutputClosed } from './output/write.ts';
import { buildProgram, HelpOnUnknownCommand, isHelpOption } from './program.ts';
import { reportError } from './report-error.ts';
import type { Terminal } from './terminal.ts';

export interface RunOptions {
  readonly version: string;
  readonly open: OpenApplication;
}

/** Runs one command line and answers its exit code. Never throws, never ends the process. */
export async function runCli(args: readonly string[], terminal: Terminal, options: RunOptions): Promise<number> {
  const context = new CommandContext(terminal, options.version, options.open);
  context.asJson = asksForJson(args);
  let exitCode = await exitCodeOf(context, async () => {
    const words = asCalledHere(withHelpOption(args));
    await parse(context, words).catch(async (error: unknown) => {
      throw await withNearName(error, words, context);
    });
    await context.flush();
    context.explainFailure();
    return context.exitCode;
  });
  const closed = await exitCodeOf(context, async () => {
    await context.close();
    return EXIT.done;
  });
  if (exitCode === EXIT.done) exitCode = closed;
  return exitCode;
}

/** An unknown name may be mistyped, or written in another case. */
async function withNearName(error: unknown, words: readonly string[], context: CommandContext): Promise<unknown> {
  const isOfName = error instanceof AppError && ['not_found', 'invalid_input'].includes(error.code);
  if (!isOfName || context.role !== 'command' || error.message.includes('did you mean')) return error;
  const { nearName } = await import('./commands/completion/near-name.ts');
  const near = await nearName(words, error.message, context).catch(() => undefined);
  // A name in the message is one that was found.
  if (near === undefined || error.message.split(/[\s",:;]+/).includes(near)) return error;
  return new AppError(error.code, `${error.message}; did you mean ${near}?`, { details: error.details, cause: error });
}

/** Searched in the words themselves, as a mistake among them is reported in the same form. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const words = end < 0 ? args : args.slice(0, end);
  return words.some(
    (word, index) =>
      ['--json', '-ojson', '--output=json'].includes(word) ||
      (word === 'json' && ['-o', '--output'].includes(words[index - 1] ?? '')),
  );
}

async function exitCodeOf(context: CommandContext, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof CommanderError) return EXIT.usage;
    // The reader has seen enough of the result.
    if (error instanceof OutputClosed) return context.exitCode;
    const report = reportError(error, context);
    context.terminal.stderr.write(report.text);
    return report.exitCode;
  }
}

async function parse(context: CommandContext, args: readonly string[]): Promise<void> {
  try {
    await buildProgram(context).parseAsync(args, { from: 'user' });
  } catch (error) {
    // Without the help option, the remaining words produce the right error.
    if (error instanceof HelpOnUnknownCommand) {
      const words = args.filter((argument) => !isHelpOption(argument));
      return parse(context, words);
    }
    // Help and version end this way too, but they are results that have yet to reach their reader.
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
  }
}

/** `muster help host show` means `muster host show --help`. */
function withHelpOption(args: readonly string[]): string[] {
  const [first, ...others] = args;
  return first === 'help' ? [...others, '--help'] : [...args];
}
