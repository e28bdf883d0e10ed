import { type Command, Option } from 'commander';
import { COMMAND_INDEX } from '../../app/commands.generated.ts';
import type { CommandEntry, CommandOption } from '../../app/kernel/entrances.ts';
import type { ValueOperation } from '../../app/kernel/operation.ts';
import type { CommandContext } from './context.ts';
import { examples } from './help.ts';
import { collect, wholeNumber } from './option-values.ts';

/** Adds the commands that operations declare below `parent`, whose name is the first of their words. */
export async function addOperationCommands(parent: Command, context: CommandContext): Promise<void> {
  const operations = (await COMMAND_INDEX[parent.name()]?.()) ?? [];
  for (const operation of operations) {
    for (const entry of [operation.at.command ?? []].flat()) {
      if (operation.answer === 'stream')
        throw new Error(`${operation.name}: what is streamed needs a command of its own`);
      addCommand(parent, context, operation, entry);
    }
  }
}

function addCommand(
  parent: Command,
  context: CommandContext,
  operation: ValueOperation,
  entry: CommandEntry<unknown, unknown>,
): void {
  const command = subcommand(parent, entry.words.split(' ').slice(1));
  const parameters = Object.entries(entry.arguments ?? {});
  command.description(entry.description ?? operation.description);
  if (entry.summary !== undefined) command.summary(entry.summary);
  for (const [, { shown, description }] of parameters) command.argument(shown, description);
  const members = new Map(
    Object.entries(entry.options ?? {}).map(([member, option]) => {
      const added = optionOf(option);
      command.addOption(added);
      return [added.attributeName(), member];
    }),
  );
  command.option('--json', entry.json);
  command.addHelpText('after', examples(...entry.examples));
  command.action(async (...given: unknown[]) => {
    const options = given[parameters.length] as Readonly<Record<string, unknown>>;
    const input: Record<string, unknown> = { ...entry.fixed };
    for (const [index, [member]] of parameters.entries()) if (given[index] !== undefined) input[member] = given[index];
    for (const [name, member] of members) if (options[name] !== undefined) input[member] = options[name];
    const output = await context.value(operation, input);
    if (options.json === true) await context.json(entry.answered?.(output) ?? output);
    else await entry.view(output, context, input);
  });
}

/** The command of these names below `parent`; those on the way are there already or are made. */
function subcommand(parent: Command, names: readonly string[]): Command {
  return names.reduce(
    (above, name) => above.commands.find((command) => command.name() === name) ?? above.command(name),
    parent,
  );
}

function optionOf({ flags, description, required, parse, default: fallback }: CommandOption): Option {
  const option = new Option(flags, description).makeOptionMandatory(required === true);
  if (fallback !== undefined) option.default(fallback);
  if (parse === 'list') return option.argParser(collect);
  return parse === undefined ? option : option.argParser(wholeNumber(parse.from, parse.to));
}
