import { resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import type { DeclaredCommand } from '../../app/catalogue/declared-command.ts';
import type { CommandArgument, CommandEntry, CommandOption, ParsedAs } from '../../app/kernel/entrances.ts';
import type { ValueOperation } from '../../app/kernel/operation.ts';
import type { CommandContext } from './context.ts';
import { examples } from './help.ts';
import { addListOptions, type ListOptions, listRequestOf } from './list-options.ts';
import { collect, wholeNumber } from './option-values.ts';
import { UsageError } from './usage-error.ts';

/** Adds commands that operations declare below `parent`, whose name is the first of their words. */
export function addOperationCommands(
  parent: Command,
  commands: readonly DeclaredCommand[],
  context: CommandContext,
): void {
  for (const command of commands) addCommand(parent, context, command);
}

function addCommand(parent: Command, context: CommandContext, declared: DeclaredCommand): void {
  const command = subcommand(parent, declared.words.split(' ').slice(1));
  const parameters = Object.entries(declared.arguments ?? {});
  command.description(declared.description);
  if (declared.summary !== undefined) command.summary(declared.summary);
  for (const [, argument] of parameters) command.addArgument(argumentOf(argument, context));
  const members = new Map<string, string>();
  for (const [member, option] of Object.entries(declared.options ?? {})) {
    const added = optionOf(option, context);
    command.addOption(added);
    members.set(added.attributeName(), member);
  }
  if (declared.columns !== undefined) addListOptions(command, declared.columns);
  command.option('--json', declared.json);
  command.addHelpText('after', examples(...declared.examples));
  command.action(async (...words: unknown[]) => {
    const options = words[parameters.length] as Readonly<Record<string, unknown>>;
    const given: Record<string, unknown> = { ...declared.fixed };
    for (const [index, [member]] of parameters.entries()) {
      const word = words[index];
      // Optional variadic words arrive as an empty list.
      if (word !== undefined && !(Array.isArray(word) && word.length === 0)) given[member] = word;
    }
    for (const [name, member] of members) if (options[name] !== undefined) given[member] = options[name];
    const { operation, entry } = await loaded(declared);
    const misuse = entry.misuse?.(given);
    if (misuse !== undefined) throw new UsageError(misuse);
    if (given[declared.logsMore ?? ''] === true) context.configure({ LOG_LEVEL: 'debug' });
    Object.assign(given, await prepareStorage(context, declared.storage));
    const { output, input } = await done(context, operation, given, entry.progress?.(given));
    const answered = (): unknown => (entry.answered === undefined ? output : entry.answered(output, input));
    const shown = (): void | Promise<void> => entry.view(output, context, input);
    // A command that has both subcommands and an argument of its own takes the option for them.
    const asked = command.optsWithGlobals() as ListOptions;
    if (declared.columns !== undefined) await context.listing(listRequestOf(asked), answered, shown);
    else if (asked.json === true) await context.json(answered());
    else await shown();
    entry.outcome?.(output, context, input);
  });
}

async function loaded({ words, operation: load }: DeclaredCommand): Promise<{
  readonly operation: ValueOperation;
  readonly entry: CommandEntry<unknown, unknown>;
}> {
  const operation = await load();
  const entry = [operation.at.command ?? []].flat().find((candidate) => candidate.words === words);
  if (entry === undefined || operation.answer === 'stream')
    throw new Error(`${operation.name} does not declare the command ${words}, or streams, which needs one of its own`);
  return { operation, entry };
}

/** Declares what the command needs of the storage; returns the member of the input that explains why it did not start. */
async function prepareStorage(
  context: CommandContext,
  storage: DeclaredCommand['storage'],
): Promise<Readonly<Record<string, unknown>>> {
  if (storage === 'unused') context.start = 'none';
  else if (storage === 'optional' || storage === 'tried') context.start = storage;
  if (storage === undefined || typeof storage === 'string') return {};
  if ((await context.service()) !== undefined) return {};
  context.start = 'tried';
  const { startFailure } = await context.app();
  return startFailure === undefined ? {} : { [storage.failure]: startFailure.message };
}

/** The output, and the input as the operation got it: checked, with its defaults. */
async function done(
  context: CommandContext,
  operation: ValueOperation,
  given: Readonly<Record<string, unknown>>,
  title: string | undefined,
): Promise<{ readonly output: unknown; readonly input: unknown }> {
  let input: unknown;
  const checked = (value: unknown): void => {
    input = value;
  };
  const output = await (title === undefined
    ? context.value(operation, given, { checked })
    : context.longValue(title, operation, given, { checked }));
  return { output, input };
}

/** The command of these names below `parent`; those on the way are there already or are made. */
function subcommand(parent: Command, names: readonly string[]): Command {
  return names.reduce(
    (above, name) => above.commands.find((command) => command.name() === name) ?? above.command(name),
    parent,
  );
}

function optionOf(
  { flags, description, required, parse, default: fallback }: CommandOption,
  context: CommandContext,
): Option {
  const option = new Option(flags, description).makeOptionMandatory(required === true);
  if (fallback !== undefined) option.default(fallback);
  if (parse !== undefined) parseWith(option, parse, context);
  return option;
}

function argumentOf({ shown, description, parse }: CommandArgument, context: CommandContext): Argument {
  const argument = new Argument(shown, description);
  if (parse !== undefined) parseWith(argument, parse, context);
  return argument;
}

function parseWith(target: Argument | Option, parse: ParsedAs, { terminal }: CommandContext): void {
  if (parse === 'list') target.argParser(collect);
  else if (parse === 'path') target.argParser((path: string) => resolve(terminal.workingDirectory, path));
  else {
    const { from, to, zero } = parse;
    const number = wholeNumber(from, to);
    target.argParser((text) => (text === zero ? 0 : number(text)));
  }
}
