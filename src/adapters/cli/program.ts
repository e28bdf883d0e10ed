import { Command, Option } from 'commander';
import { COMMANDS } from '../../../generated/commands.ts';
import type { ConfigKey } from '../../app/kernel/config/schema.ts';
import type { ConfigFlags } from './application.ts';
import { COMMAND_GROUPS, type DefineCommand } from './command-groups.ts';
import type { CommandContext } from './context.ts';
import { examples } from './help.ts';
import { wantsColour } from './output/colours.ts';
import type { RemoteOptions } from './remote/choose.ts';
import { errorLine, shortened } from './report-error.ts';

const INTRODUCTION =
  'Muster collects hosts from many systems, merges and enriches them by rules, and serves one trustworthy inventory.';

const EXAMPLES = `
Examples:
  $ muster account add datacentre --type csv --set path=hosts.csv --set hostname_field=host
  $ muster import datacentre
  $ muster host explain web01.example.org
  $ muster inventory automation --list

Every command answers --help with examples of its own. Results go to the standard output, everything
else to the standard error. Exit code: 0 done, 1 failed, 2 wrong usage, 130 stopped.
`;

/** Options of the command line that are configuration, by their name in commander. */
const CONFIG_OPTIONS: Readonly<Record<string, ConfigKey>> = {
  databaseUrl: 'DATABASE_URL',
  dataDir: 'DATA_DIR',
  logLevel: 'LOG_LEVEL',
  httpHost: 'HTTP_HOST',
  httpPort: 'HTTP_PORT',
};

/** Help was requested on a command that does not exist; Commander by itself shows the help of the level above. */
export class HelpOnUnknownCommand extends Error {
  override readonly name = 'HelpOnUnknownCommand';
}

/** The command line. Commands of the first level are known by name only and get their content when one is used. */
export function buildProgram(context: CommandContext): Command {
  const { stdout, stderr } = context.terminal;
  const program = new Command('muster');
  program
    .description(INTRODUCTION)
    .usage('<command> [options]')
    .version(context.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError(text, write) {
        const message = withoutFarSuggestion(text.replace(/^error: /, '').trimEnd());
        write(
          context.asJson ? errorLine(message.replaceAll('\n', ' '), 'usage') : `${shortened(`muster: ${message}`)}\n`,
        );
      },
      getOutHelpWidth: () => (stdout.isTTY ? Math.min(stdout.columns || 80, 120) : 100),
      getErrHelpWidth: () => (stderr.isTTY ? Math.min(stderr.columns || 80, 120) : 100),
      getOutHasColors: () => wantsColour(stdout),
      getErrHasColors: () => wantsColour(stderr),
    })
    .addOption(
      new Option('--database-url <url>', 'the store, for this call: sqlite:<path>, postgresql://… or mongodb://…'),
    )
    .addOption(new Option('--data-dir <dir>', 'directory of files that Muster makes itself, for this call'))
    .addOption(
      new Option('--log-level <level>', 'what is logged on the standard error').choices([
        'debug',
        'info',
        'warn',
        'error',
        'silent',
      ]),
    )
    .option('--quiet', 'say nothing of how far long work is')
    .option('--url <address>', 'work with the service at this address instead of the store, for this call')
    .option('--profile <name>', 'work with the service of this profile; local is the store of this machine')
    .option('--token-stdin', 'with --url: read the token from the first line of the standard input')
    .option('--ca-file <file>', 'with --url: certificates (PEM) to trust in addition to those of the system')
    .addOption(new Option('--plain-http', 'with --url: show the token over http:// too').hideHelp())
    .addHelpText('beforeAll', ({ command }) => {
      if (namesUnknownCommand(command)) throw new HelpOnUnknownCommand();
      return '';
    })
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  for (const group of COMMAND_GROUPS) {
    program
      .commandsGroup(group.heading)
      .command(group.name, { hidden: group.hidden === true })
      .summary(group.summary)
      .description(sentence(group.summary))
      .helpCommand(false);
  }
  program.hook('preSubcommand', async (_program, command) => loadGroup(command, context));
  program.hook('preAction', (_program, command) => {
    context.command = pathOf(command);
    context.configure(configFlags(command.optsWithGlobals()));
    context.quiet = program.opts<GlobalOptions>().quiet === true;
    context.where = remoteOptions(program, command);
  });
  return program;
}

/**
 * If the first letters differ, as in "plan" and "explain", the suggestion is nearly always a different thing, and it may write.
 */
function withoutFarSuggestion(message: string): string {
  const [, guess, near] = /'-*([^']*)'\n\(Did you mean (?:one of )?-*(.*)\?\)$/.exec(message) ?? [];
  if (guess === undefined || near === undefined || near.startsWith(guess.charAt(0))) return message;
  return message.replace(/\n\(Did you mean .*$/, '');
}

/** Gives a command of the first level its content. */
export async function loadGroup(command: Command, context: CommandContext): Promise<void> {
  const group = COMMAND_GROUPS.find((candidate) => candidate.name === command.name());
  if (group === undefined) return;
  const [define, addDeclared, { GROUP_HELP }] = await Promise.all([
    group.load?.(),
    declaredCommands(group.name),
    import('./group-help.ts'),
  ]);
  const help = GROUP_HELP[group.name];
  if (help?.examples !== undefined) command.addHelpText('after', examples(...help.examples));
  define?.(command, context);
  addDeclared?.(command, context);
  const order = help?.order;
  // Commander lists commands in the order of their registration.
  if (order !== undefined) (command.commands as Command[]).sort((a, b) => place(order, a) - place(order, b));
}

/** Adds the commands of this first word that operations declare. */
async function declaredCommands(word: string): Promise<DefineCommand | undefined> {
  const load = COMMANDS[word];
  if (load === undefined) return undefined;
  const [commands, { addOperationCommands }] = await Promise.all([load(), import('./operation-command.ts')]);
  return (parent, context) => addOperationCommands(parent, commands, context);
}

/** Returns the place of a command in the order; after all others if it is not named. */
function place(order: readonly string[], command: Command): number {
  const index = order.indexOf(command.name());
  return index < 0 ? order.length : index;
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

function namesUnknownCommand({ args, commands }: Command): boolean {
  const word = args.find((argument) => !isHelpOption(argument));
  if (commands.length === 0 || word === undefined || word.startsWith('-')) return false;
  return commands.every((command) => command.name() !== word);
}

export function isHelpOption(argument: string): boolean {
  return argument === '--help' || argument === '-h';
}

export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Options that determine where the command works. A command may have an option of the same name with another meaning. */
function remoteOptions(program: Command, command: Command): RemoteOptions {
  const { url, profile, tokenStdin, caFile, plainHttp, databaseUrl, dataDir } = program.opts<GlobalOptions>();
  const hasOwnUrl = command !== program && command.options.some(({ long }) => long === '--url');
  // The program reads its options at any position.
  if (hasOwnUrl && url !== undefined) command.setOptionValue('url', url);
  return {
    ...(url !== undefined && !hasOwnUrl && { url }),
    ...(profile !== undefined && { profile }),
    ...(tokenStdin && { tokenStdin }),
    ...(caFile !== undefined && { caFile }),
    ...(plainHttp && { plainHttp }),
    namesStore: databaseUrl !== undefined || dataDir !== undefined,
  };
}

interface GlobalOptions extends RemoteOptions {
  readonly quiet?: true;
  readonly databaseUrl?: string;
  readonly dataDir?: string;
}

function configFlags(options: Readonly<Record<string, unknown>>): ConfigFlags {
  const flags: Partial<Record<ConfigKey, unknown>> = {};
  for (const [name, key] of Object.entries(CONFIG_OPTIONS)) {
    if (options[name] !== undefined) flags[key] = options[name];
  }
  return flags;
}
