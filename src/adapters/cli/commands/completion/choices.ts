import type { Command, Option } from 'commander';
import type { CommandContext } from '../../context.ts';
import { buildProgram, loadGroup } from '../../program.ts';

/** What may stand in a place. */
interface Choice {
  readonly word: string;
  /** What it is, in a line; empty for values. */
  readonly summary: string;
}

/**
 * What may stand in the place of the last of these words. Nothing where any text may, such as a name or a file. Only what is declared is
 * looked at: no store is opened, so that a key press never waits for one.
 */
export async function choicesFor(words: readonly string[], context: CommandContext): Promise<readonly Choice[]> {
  const begun = words.at(-1) ?? '';
  const { command, position, awaiting } = await placeBehind(words.slice(0, -1), context);
  return choicesAt({ command, position, awaiting }, begun).filter(({ word }) => word.startsWith(begun));
}

interface Place {
  readonly command: Command;
  /** How many arguments of the command are written already. */
  readonly position: number;
  /** The option whose value is asked for. */
  readonly awaiting: Option | undefined;
}

async function placeBehind(words: readonly string[], context: CommandContext): Promise<Place> {
  let command = buildProgram(context);
  let position = 0;
  let awaiting: Option | undefined;
  for (const word of words) {
    if (awaiting !== undefined) awaiting = undefined;
    else if (word.startsWith('-')) {
      const option = optionsOf(command).find(({ long, short }) => long === word || short === word);
      if (option !== undefined && (option.required || option.optional)) awaiting = option;
    } else {
      const next = position === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (next === undefined) position++;
      else {
        if (command.parent === null) await loadGroup(next, context);
        command = next;
      }
    }
  }
  return { command, position, awaiting };
}

function choicesAt({ command, position, awaiting }: Place, begun: string): readonly Choice[] {
  if (awaiting !== undefined) return valuesOf(awaiting.argChoices);
  if (begun.startsWith('-')) return optionsOf(command).flatMap(optionChoice);
  const { registeredArguments: places } = command;
  const place = places[position] ?? (places.at(-1)?.variadic ? places.at(-1) : undefined);
  const commands = position === 0 ? shownCommands(command) : [];
  return [...commands, ...valuesOf(place?.argChoices)];
}

/** Its own and those of the commands above, which hold for it too. */
function optionsOf(command: Command): readonly Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

function optionChoice({ long, description }: Option): readonly Choice[] {
  return long == null ? [] : [{ word: long, summary: description }];
}

function shownCommands(command: Command): readonly Choice[] {
  const help = command.createHelp();
  return help.visibleCommands(command).map((one) => ({ word: one.name(), summary: help.subcommandDescription(one) }));
}

function valuesOf(choices: readonly string[] | undefined): readonly Choice[] {
  return (choices ?? []).map((word) => ({ word, summary: '' }));
}
