import type { Argument, Command, Option } from 'commander';
import type { CommandContext } from '../../context.ts';
import { buildProgram, loadGroup, pathOf } from '../../program.ts';
import type { NamePlace } from './stored-names.ts';

/** A word that may be typed at a position. */
interface Choice {
  readonly word: string;
  /** One-line description; empty for values. */
  readonly summary: string;
}

/**
 * Returns the completions for the last of these words: what is declared, else names of stored items. Empty if any text is
 * allowed, such as a file.
 */
export async function choicesFor(words: readonly string[], context: CommandContext): Promise<readonly Choice[]> {
  const last = words.at(-1) ?? '';
  // `--type=cs` asks for the same as `--type cs`.
  const [, option, value] = /^(--[^=]+)=(.*)$/.exec(last) ?? [];
  const begun = value ?? last;
  const place = await placeBehind([...words.slice(0, -1), ...(option === undefined ? [] : [option])], context);
  const declared = choicesAt(place, begun);
  const choices = declared.length > 0 || begun.startsWith('-') ? declared : await namedChoices(place, begun, context);
  const given = option === undefined ? '' : `${option}=`;
  return choices
    .filter(({ word }) => word.startsWith(begun))
    .map(({ word, summary }) => ({ word: `${given}${word}`, summary }));
}

async function namedChoices(place: Place, begun: string, context: CommandContext): Promise<readonly Choice[]> {
  const state = stateOf(place);
  if (state === undefined) return [];
  const { namesFor } = await import('./stored-names.ts');
  return valuesOf(await namesFor({ ...state, begun }, context).catch(() => []));
}

/** The position, in the form in which names are looked up for it; `undefined` if nothing may be typed there. */
export function stateOf(place: Place): Omit<NamePlace, 'begun'> | undefined {
  const of = place.awaiting?.long ?? placeOf(place)?.name();
  if (of === undefined) return undefined;
  return { command: pathOf(place.command), of, before: place.given, options: place.options };
}

interface Place {
  readonly command: Command;
  /** How many arguments of the command are written already. */
  readonly position: number;
  /** The arguments given so far. */
  readonly given: readonly string[];
  /** The values of options so far, by their long form. */
  readonly options: ReadonlyMap<string, string>;
  /** The option that still needs its value. */
  readonly awaiting: Option | undefined;
}

export async function placeBehind(words: readonly string[], context: CommandContext): Promise<Place> {
  let command = buildProgram(context);
  const given: string[] = [];
  const options = new Map<string, string>();
  let awaiting: Option | undefined;
  for (const word of words) {
    if (awaiting !== undefined) {
      if (awaiting.long != null) options.set(awaiting.long, word);
      awaiting = undefined;
    } else if (word.startsWith('-')) {
      const option = optionsOf(command).find(({ long, short }) => long === word || short === word);
      if (option !== undefined && (option.required || option.optional)) awaiting = option;
    } else {
      const next = given.length === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (next === undefined) given.push(word);
      else {
        if (command.parent === null) await loadGroup(next, context);
        command = next;
      }
    }
  }
  return { command, position: given.length, given, options, awaiting };
}

function choicesAt(place: Place, begun: string): readonly Choice[] {
  const { command, position, awaiting } = place;
  if (awaiting !== undefined) return valuesOf(awaiting.argChoices);
  if (begun.startsWith('-')) return optionsOf(command).flatMap(optionChoice);
  const commands = position === 0 ? shownCommands(command) : [];
  return [...commands, ...valuesOf(placeOf(place)?.argChoices)];
}

/** Returns the argument to complete. */
function placeOf({ command: { registeredArguments: places }, position }: Place): Argument | undefined {
  return places[position] ?? (places.at(-1)?.variadic ? places.at(-1) : undefined);
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
