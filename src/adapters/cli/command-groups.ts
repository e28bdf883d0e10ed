import type { Command } from 'commander';
import { COMMANDS } from '../../../generated/commands.ts';
import { FEATURES } from '../../../generated/features.ts';
import type { CommandContext } from './context.ts';

/** Adds arguments, options, subcommands and actions to a command. */
export type DefineCommand = (command: Command, context: CommandContext) => void;

export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly heading: string;
  /** The feature that it is of; absent: the core, or operations that declare its commands. */
  readonly feature?: string;
  /** True for commands of programs, which the help leaves out. */
  readonly hidden?: true;
  /** Commands that no operation declares. They are loaded when they are used, so that no command pays for the others. */
  load?(): Promise<DefineCommand>;
}

const INVENTORY = 'Hosts and inventory:';
const RULES = 'Sources and rules:';
const ACCESS = 'Access:';
const SERVICE = 'Service:';

/** Every command of the first level, in the order of the help. */
const ALL_GROUPS: readonly CommandGroup[] = [
  {
    name: 'host',
    summary: 'list, show, explain, archive and restore hosts',
    heading: INVENTORY,
    load: async () => (await import('./commands/host.ts')).defineHost,
  },
  {
    name: 'status',
    summary: 'is everything all right: hosts, sources, what runs, what needs attention',
    heading: INVENTORY,
    load: async () => (await import('./commands/status.ts')).defineStatus,
  },
  { name: 'search', summary: 'save, list and remove searches for hosts', heading: INVENTORY },
  {
    name: 'inventory',
    summary: 'print an inventory as script-inventory JSON',
    heading: INVENTORY,
    load: async () => (await import('./commands/inventory.ts')).defineInventory,
  },
  {
    name: 'ansible',
    summary: 'other spelling of "muster inventory"',
    heading: INVENTORY,
    hidden: true,
    load: async () => (await import('./commands/inventory.ts')).defineAnsible,
  },
  {
    name: 'inventory-providers',
    summary: 'list the inventory providers',
    heading: INVENTORY,
  },
  {
    name: 'inventory-changes',
    summary: 'compare an inventory with an earlier time',
    heading: INVENTORY,
  },
  {
    name: 'account',
    summary: 'add, change, test, enable and delete accounts, the sources of hosts',
    heading: RULES,
    load: async () => (await import('./commands/account.ts')).defineAccount,
  },
  {
    name: 'preset',
    summary: 'list what known systems are read with, and begin such a file',
    heading: RULES,
  },
  {
    name: 'import',
    summary: 'import the hosts of an account, or of all',
    heading: RULES,
    load: async () => (await import('./commands/import.ts')).defineImport,
  },
  {
    name: 'export',
    summary: 'export the hosts to the target of an account',
    heading: RULES,
  },
  {
    name: 'published',
    summary: 'list and print the files that exports publish over HTTP',
    heading: RULES,
  },
  {
    name: 'plan',
    summary: 'show what an export would change, list and approve plans',
    heading: RULES,
  },
  {
    name: 'apply',
    summary: 'do what a plan says',
    heading: RULES,
  },
  {
    name: 'run',
    summary: 'list what runs and what ran, and cancel it',
    heading: RULES,
  },
  { name: 'notification', summary: 'list notifications, send them again, and test receivers', heading: RULES },
  { name: 'sign-in', summary: 'list and test the ways to log in that other systems offer', heading: RULES },
  {
    name: 'rules',
    summary: 'list, import, export, test and revert rules',
    heading: RULES,
    load: async () => (await import('./commands/rules.ts')).defineRules,
  },
  {
    name: 'cron',
    summary: 'run, show and trigger cron groups, and set up their webhooks',
    heading: RULES,
    load: async () => (await import('./commands/cron.ts')).defineCron,
  },
  {
    name: 'playbook',
    summary: 'list and run playbooks, fire those of rules, show and cancel runs',
    heading: RULES,
    feature: 'playbooks',
    load: async () => (await import('./commands/playbook.ts')).definePlaybook,
  },
  {
    name: 'user',
    summary: 'add, list and disable users, their passwords and API tokens',
    heading: ACCESS,
    load: async () => (await import('./commands/user.ts')).defineUser,
  },
  {
    name: 'login',
    summary: 'log in at a service, so that commands work with it',
    heading: ACCESS,
    load: async () => (await import('./commands/remote.ts')).defineLogin,
  },
  {
    name: 'profile',
    summary: 'list, choose and remove the services that you logged in at',
    heading: ACCESS,
    load: async () => (await import('./commands/remote.ts')).defineProfile,
  },
  {
    name: 'serve',
    summary: 'serve the HTTP interface, with scheduler and worker threads',
    heading: SERVICE,
    load: async () => (await import('./commands/serve.ts')).defineServe,
  },
  {
    name: 'mcp',
    summary: 'serve tools and resources to LLM clients',
    heading: SERVICE,
    load: async () => (await import('./commands/mcp.ts')).defineMcp,
  },
  {
    name: 'demo',
    summary: 'try Muster on a bundled sample of real hosts',
    heading: SERVICE,
    load: async () => (await import('./commands/demo.ts')).defineDemo,
  },
  {
    name: 'init',
    summary: 'begin an installation in a folder',
    heading: SERVICE,
    load: async () => (await import('./commands/init.ts')).defineInit,
  },
  {
    name: 'config',
    summary: 'show the configuration and the origin of each value',
    heading: SERVICE,
  },
  {
    name: 'plugins',
    summary: 'list plugins and what they provide',
    heading: SERVICE,
  },
  {
    name: 'plugin',
    summary: 'begin a plugin, or run an action of one',
    heading: SERVICE,
    load: async () => (await import('./commands/plugin.ts')).definePlugin,
  },
  {
    name: 'doctor',
    summary: 'check storage, key, plugins, rules, clock and disk',
    heading: SERVICE,
    load: async () => (await import('./commands/doctor.ts')).defineDoctor,
  },
  {
    name: 'maintenance',
    summary: 'archive stale hosts, purge the archive, prune history and logs',
    heading: SERVICE,
  },
  {
    name: 'logs',
    summary: 'show what imports and jobs did, or the audit log',
    heading: SERVICE,
    load: async () => (await import('./commands/logs.ts')).defineLogs,
  },
  {
    name: 'migrate',
    summary: 'move an existing installation in: check, compare, run',
    heading: SERVICE,
    feature: 'migration',
    load: async () => (await import('./commands/migrate.ts')).defineMigrate,
  },
  {
    name: 'storage',
    summary: 'check what is stored, move it to another database, rotate the instance key',
    heading: SERVICE,
    load: async () => (await import('./commands/storage.ts')).defineStorage,
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands and options in a shell',
    heading: SERVICE,
    load: async () => (await import('./commands/completion.ts')).defineCompletion,
  },
  {
    name: 'complete',
    summary: 'what completion asks',
    heading: SERVICE,
    hidden: true,
    load: async () => (await import('./commands/completion.ts')).defineComplete,
  },
  {
    name: 'healthcheck',
    summary: 'whether the service of this configuration answers',
    heading: SERVICE,
    hidden: true,
    load: async () => (await import('./commands/healthcheck.ts')).defineHealthcheck,
  },
  {
    name: 'backup',
    summary: 'write everything that is stored into one file',
    heading: SERVICE,
  },
  {
    name: 'support-bundle',
    summary: 'print what support needs to help you',
    heading: SERVICE,
  },
  {
    name: 'log-level',
    summary: 'say or set what a running service logs',
    heading: SERVICE,
  },
  {
    name: 'restore',
    summary: 'make the storage hold what a backup holds',
    heading: SERVICE,
    feature: 'backups',
    load: async () => (await import('./commands/restore.ts')).defineRestore,
  },
];

/** Groups of this program: without a feature, its commands are missing too. */
export const COMMAND_GROUPS: readonly CommandGroup[] = ALL_GROUPS.filter(({ name, feature, load }) =>
  feature === undefined ? load !== undefined || Object.hasOwn(COMMANDS, name) : FEATURES.has(feature),
);
