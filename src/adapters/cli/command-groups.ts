import type { Command } from 'commander';
import type { CommandContext } from './context.ts';

/** Adds arguments, options, subcommands and actions to a command. */
type DefineCommand = (command: Command, context: CommandContext) => void;

export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly heading: string;
  /** Commands that no operation declares. They are loaded when they are used, so that no command pays for the others. */
  load?(): Promise<DefineCommand>;
  /** At the end of its help. */
  readonly examples?: readonly string[];
  /** How the help lists what is below it; what operations declare and this does not name comes last. */
  readonly order?: readonly string[];
}

const INVENTORY = 'Hosts and inventory:';
const RULES = 'Sources and rules:';
const ACCESS = 'Access:';
const SERVICE = 'Service:';

/** Every command of the first level, in the order of the help. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    name: 'host',
    summary: 'list, show, explain, archive and restore hosts',
    heading: INVENTORY,
    load: async () => (await import('./commands/host.ts')).defineHost,
    order: ['list', 'show', 'explain', 'archive', 'restore', 'history', 'set', 'relations'],
  },
  {
    name: 'inventory',
    summary: 'print an inventory as script-inventory JSON',
    heading: INVENTORY,
    load: async () => (await import('./commands/inventory.ts')).defineInventory,
  },
  {
    name: 'inventory-providers',
    summary: 'list the inventory providers',
    heading: INVENTORY,
    load: async () => (await import('./commands/inventory-providers.ts')).defineInventoryProviders,
  },
  {
    name: 'account',
    summary: 'add, change, test, enable and delete accounts, the sources of hosts',
    heading: RULES,
    load: async () => (await import('./commands/account.ts')).defineAccount,
    examples: [
      'muster account add datacentre --type csv --set path=hosts.csv --set hostname_field=host',
      'muster account test datacentre',
      'muster import datacentre',
    ],
    order: ['add', 'set', 'list', 'show', 'test', 'enable', 'disable', 'delete'],
  },
  {
    name: 'import',
    summary: 'import the hosts of an account',
    heading: RULES,
  },
  {
    name: 'export',
    summary: 'export the hosts to the target of an account',
    heading: RULES,
  },
  {
    name: 'rules',
    summary: 'list, import, export, test and revert rules',
    heading: RULES,
    load: async () => (await import('./commands/rules.ts')).defineRules,
    examples: [
      'muster rules list automation_customvars',
      'muster rules export > rules.json',
      'muster rules import rules.json',
    ],
    order: [
      'types',
      'list',
      'import',
      'export',
      'waiting',
      'confirm',
      'autorules',
      'test',
      'impact',
      'history',
      'revert',
      'remove',
    ],
  },
  {
    name: 'cron',
    summary: 'run, show and trigger cron groups, and set up their webhooks',
    heading: RULES,
    load: async () => (await import('./commands/cron.ts')).defineCron,
    examples: ['muster cron status', 'muster cron trigger nightly', 'muster cron run'],
    order: ['run', 'status', 'trigger', 'token', 'policy'],
  },
  {
    name: 'playbook',
    summary: 'list and run playbooks, fire those of rules, show and cancel runs',
    heading: RULES,
    load: async () => (await import('./commands/playbook.ts')).definePlaybook,
    examples: [
      'muster playbook list',
      'muster playbook run agent.yml --host web01.example.org',
      'muster playbook fire',
    ],
    order: ['list', 'run', 'fire', 'runs', 'show', 'cancel'],
  },
  {
    name: 'user',
    summary: 'add, list and disable users, their passwords and API tokens',
    heading: ACCESS,
    load: async () => (await import('./commands/user.ts')).defineUser,
    examples: [
      'muster user add olga --role objects --role automation',
      'muster user list',
      'muster user token create olga --label ci',
    ],
    order: ['add', 'list', 'show', 'passwd', 'delete', 'disable', 'enable', 'sessions', 'end-sessions', 'token'],
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
    name: 'config',
    summary: 'show the configuration and where each value came from',
    heading: SERVICE,
    examples: ['muster config show'],
  },
  {
    name: 'plugins',
    summary: 'list plugins and what they provide',
    heading: SERVICE,
  },
  {
    name: 'doctor',
    summary: 'check storage, key, plugins, rules, clock and disk',
    heading: SERVICE,
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
    name: 'storage',
    summary: 'check what is stored, move it to another database, rotate the instance key',
    heading: SERVICE,
    load: async () => (await import('./commands/storage.ts')).defineStorage,
    examples: [
      'muster storage check',
      'muster storage migrate --from sqlite:data/muster.db --to mongodb://db.example.org/muster',
    ],
    order: ['check', 'migrate', 'rotate-key'],
  },
  {
    name: 'backup',
    summary: 'write everything that is stored into one file',
    heading: SERVICE,
  },
  {
    name: 'restore',
    summary: 'make the storage hold what a backup holds',
    heading: SERVICE,
    load: async () => (await import('./commands/restore.ts')).defineRestore,
  },
];
