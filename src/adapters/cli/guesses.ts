import { UsageError } from './usage-error.ts';

/**
 * Words of other command lines, and first guesses. A synonym of a command that only reads runs like it; all others print a hint
 * with the right command. A hint for a guess that reads never names a command that writes.
 */
const ALIASES: Readonly<Record<string, string>> = {
  version: '--version',
  '-v': '--version',
  hosts: 'host',
  host_list: 'host list',
  accounts: 'account',
  sources: 'account',
  users: 'user',
  rule: 'rules',
  presets: 'preset',
  plans: 'plan',
  playbooks: 'playbook',
  profiles: 'profile',
  notifications: 'notification',
  searches: 'search',
  log: 'logs',
  ls: 'host list',
  list: 'host list',
  get: 'host show',
  show: 'host show',
  describe: 'host show',
  explain: 'host explain',
  why: 'host explain',
  history: 'host history',
  find: 'host list --where',
  jobs: 'run list',
  tasks: 'run list',
  runs: 'run',
  audit: 'logs --audit',
  providers: 'inventory-providers',
  health: 'doctor',
  info: 'status',
  stats: 'status',
  'get host': 'host show',
  'get hosts': 'host list',
  'describe host': 'host show',
  'show host': 'host show',
  check: 'doctor',
  'host search': 'host list --where',
  'host filter': 'host list --where',
  'host why': 'host explain',
  'host log': 'host history',
  'config list': 'config show',
  'config ls': 'config show',
  'config view': 'config show',
  'config validate': 'config show',
  'config check': 'config show',
  'cron list': 'cron status',
  'cron ls': 'cron status',
  'cron show': 'cron status',
  'cron get': 'cron status',
  'plugin list': 'plugins',
  'plugin ls': 'plugins',
  'plugins ls': 'plugins',
  'plugins list': 'plugins',
  'logs list': 'logs',
  'audit list': 'logs --audit',
  'inventory ls': 'inventory-providers',
  'inventory list': 'inventory-providers',
  'backup list': 'storage list-backups',
  'backup ls': 'storage list-backups',
  backups: 'storage list-backups',
  'backup verify': 'storage verify-backup',
  'backup check': 'storage verify-backup',
  'token list': 'user token list',
  'token ls': 'user token list',
  'user token ls': 'user token list',
  types: 'account types',
};

const SHOWN = new Set(['host', 'account', 'rules', 'run', 'plan', 'playbook', 'user', 'published']);
const LISTED = new Set([...SHOWN, 'search', 'preset', 'notification', 'sign-in', 'profile']);
const SHOW = new Set(['get', 'describe', 'view', 'info', 'cat', 'inspect', 'display']);
const LIST = new Set(['ls', 'all', 'index']);

const CHECK_RULES =
  '"muster rules impact <file>" says whether rules are valid and what they would change, and stores nothing';
const COUNT =
  '"muster status" says how many hosts there are; "muster host list --where <query> -o name | wc -l" counts what a query finds';
const TAKE_AWAY =
  '"muster host archive" takes a host out of all inventories, "muster host restore" brings it back, "muster host purge" deletes what is archived for good';

const HINTS: Readonly<Record<string, string>> = {
  whoami:
    'commands on this machine act as its operator, in the name of the user of the system; at a service as the user of the profile: see "muster profile list"',
  sync: '"muster import --all" reads all sources, and "muster export <account>" writes to a target',
  diff: '"muster rules diff <folder>" compares rules, "muster inventory-changes" an inventory with an earlier time, "muster host changes" the values of hosts',
  open: 'the pages are at the address that "muster serve" prints, below /admin',
  docs: 'the documentation is at the address that "muster serve" prints, below /docs; in the package it is the folder docs',
  start: '"muster serve" starts the service',
  server: '"muster serve" starts the service',
  stop: 'Ctrl-C, or SIGTERM, stops "muster serve" in good order',
  restart: 'stop "muster serve" by Ctrl-C or SIGTERM, and start it again',
  logout: '"muster profile remove <name>" forgets a login; "muster profile use local" goes back to this machine',
  token: '"muster user token create <name> --label <label>" creates one, "muster user token list <name>" lists them',
  'token create': 'it is "muster user token create <name> --label <label>"',
  update: 'the program is updated by its package; "muster import" updates hosts',
  upgrade:
    'the program is updated by its package; after that, "muster storage upgrade" or the start of the service upgrades the store',
  undo: '"muster run list" shows the runs; "muster run undo <place> --dry-run" says what undoing one would change',
  rollback:
    'a run is undone by "muster run undo", a rule by "muster rules revert"; for the program see "Upgrade" in docs/operations.md',
  uninstall:
    'npm uninstall --global @muster-cmdb/muster removes the program; configuration and store stay until you delete them',
  delete: '"muster host archive", "muster rules remove", "muster account delete" and "muster user delete" do that',
  'config get': '"muster config show" shows all keys; "muster config show --json" is for scripts',
  'host count': COUNT,
  'host delete': TAKE_AWAY,
  'host rm': TAKE_AWAY,
  'host remove': TAKE_AWAY,
  'host add':
    'it is "muster host create <hostname>"; most hosts come from a source: "muster account add", "muster import"',
  'config set':
    'values are in the file local_config.yaml, or in variables SERVICE_<KEY>; "muster config show" names the source of each',
  'config edit': 'edit the file local_config.yaml; "muster config show" names the source of each value',
  'config path': '"muster config show" names the file or variable of each value',
  'rules lint': CHECK_RULES,
  'rules validate': CHECK_RULES,
  'rules check': CHECK_RULES,
  'rules add': 'rules are added by "muster rules import <file>", or on their pages',
  'rules create': 'rules are added by "muster rules import <file>", or on their pages',
  'rules delete': 'it is "muster rules remove <type> <rule>"',
  'rules rm': 'it is "muster rules remove <type> <rule>"',
  'account rm': 'it is "muster account delete <name>"',
  'account remove': 'it is "muster account delete <name>"',
  'account create': 'it is "muster account add <name> --type <type>"',
  'account import': 'it is "muster import <account>"',
  'user create': 'it is "muster user add <name>"',
  'user rm': 'it is "muster user delete <name>"',
  'user remove': 'it is "muster user delete <name>"',
  'backup create': 'name a file: "muster backup <file>"',
  'backup make': 'name a file: "muster backup <file>"',
  'backup restore': 'it is "muster restore <file>"',
  'backup status':
    '"muster storage list-backups" lists the kept backups, and "muster doctor" says how old the newest one is',
};

/** Options that other programs have for ours, by command. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  logs: { '-f': '--follow', '-n': '--limit', '--tail': '--limit', '--lines': '--limit' },
  import: { '-n': '--dry-run', '--check': '--dry-run' },
  export: { '-n': '--dry-run' },
  'host list': {
    '-l': '--where',
    '--filter': '--where',
    '--selector': '--where',
    '--search': '--where',
    '--query': '--where',
    '-n': '--limit',
  },
  'host explain': { '--provider': '--project' },
  'run list': { '-n': '--limit' },
  'rules import': { '-n': '--dry-run' },
};

/** Options of the program that take a value, and may precede the command. */
const WITH_VALUE = new Set(['--url', '--profile', '--database-url', '--data-dir', '--log-level', '--ca-file']);
const MOST_WORDS = 3;

/** Returns the words as the commands are called here. Throws with the hint for a guess that is not a command. */
export function asCalledHere(args: readonly string[]): readonly string[] {
  const at = commandAt(args);
  const before = args.slice(0, at);
  const words = named(args.slice(at));
  const called = CALLED.find((command) => startsWith(words, command));
  if (called === undefined) return [...before, ...words];
  const length = called.split(' ').length;
  return [...before, ...words.slice(0, length), ...withOptions(called, words.slice(length))];
}

const CALLED = Object.keys(OPTIONS);

function commandAt(args: readonly string[]): number {
  let index = 0;
  while (args[index]?.startsWith('-') && args[index] !== '-v') index += WITH_VALUE.has(args[index] ?? '') ? 2 : 1;
  return index;
}

function named(words: readonly string[]): readonly string[] {
  for (let length = MOST_WORDS; length > 0; length--) {
    const guess = words.slice(0, length).join(' ');
    if (words.length < length) continue;
    if (Object.hasOwn(HINTS, guess)) throw new UsageError(`there is no command ${guess}: ${HINTS[guess]}`);
    if (!Object.hasOwn(ALIASES, guess)) continue;
    const rest = words.slice(length);
    const alias = ALIASES[guess]?.split(' ') ?? [];
    // A group under another name may have a guess behind it, too.
    return alias.length === 1 && rest.length > 0 ? named([...alias, ...rest]) : [...alias, ...rest];
  }
  const [group = '', verb = '', ...rest] = words;
  if (SHOWN.has(group) && SHOW.has(verb)) return [group, 'show', ...rest];
  if (LISTED.has(group) && LIST.has(verb)) return [group, 'list', ...rest];
  return words;
}

function withOptions(command: string, words: readonly string[]): readonly string[] {
  const options = OPTIONS[command] ?? {};
  const end = words.indexOf('--');
  return words.flatMap((word, index) => {
    if (end >= 0 && index >= end) return [word];
    const [option = '', ...value] = word.split('=');
    if (command === 'host list' && option === '--count') throw new UsageError(`there is no option --count: ${COUNT}`);
    if (word === 'wide' && ['-o', '--output'].includes(words[index - 1] ?? ''))
      throw new UsageError('there is no output wide: choose the columns by --columns');
    // Names, or a query, as other programs take them.
    if (command === 'host list' && index === 0 && !word.startsWith('-')) return ['--where', word];
    const ours = Object.hasOwn(options, option) ? options[option] : undefined;
    if (ours === undefined) {
      const counted = /^-n(\d+)$/.exec(word)?.[1];
      return counted !== undefined && options['-n'] === '--limit' ? ['--limit', counted] : [word];
    }
    return value.length === 0 ? [ours] : [ours, value.join('=')];
  });
}

function startsWith(words: readonly string[], command: string): boolean {
  return command.split(' ').every((word, index) => words[index] === word);
}
