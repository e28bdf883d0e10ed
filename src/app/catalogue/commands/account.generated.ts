import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `account …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Delete an account that nothing uses: no hosts, no other accounts, no rules, no objects in the system that it was exported to. Its plans, what it published, and the labels, relations and sections that it gave to hosts of others go with it. With --with-hosts its own hosts are deleted for good, too.',
    words: 'account delete',
    summary: 'delete an account that nothing uses',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the account',
      },
    },
    options: {
      forget: {
        flags: '--forget',
        description: 'leave its objects in that system, where nothing keeps them up to date any more',
      },
      with_hosts: {
        flags: '--with-hosts',
        description: 'delete its hosts for good, too, active or archived, with history and relations',
      },
    },
    json: 'answer the outcome as JSON',
    examples: [
      'muster account delete lab',
      'muster account delete lab --with-hosts',
      'muster account delete netbox --forget',
    ],
    async operation() {
      return (await import('./../../accounts/operations/delete-account.ts')).deleteAccount;
    },
  },
  {
    description: 'List the types that an account can have, those of plugins included.',
    words: 'account types',
    storage: 'optional',
    summary: 'list the types that an account can have',
    columns: ['type', 'kind', 'title', 'description'],
    json: 'answer a JSON array of types, with their options as JSON schema',
    examples: ['muster account types', 'muster account types --columns type,options', 'muster account types --json'],
    async operation() {
      return (await import('./../../accounts/operations/list-account-types.ts')).listAccountTypes;
    },
  },
  {
    description: 'List the files that accounts can read, and the folders that they write into.',
    words: 'account files',
    summary: 'list the files that accounts can read',
    columns: ['path'],
    json: 'answer {"sources": [folders with their files], "targets": [folders]}',
    examples: ['muster account files', 'muster account files --json'],
    async operation() {
      return (await import('./../../accounts/operations/list-files.ts')).listAccountFiles;
    },
  },
  {
    description: 'Use a disabled account again.',
    words: 'account enable',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the account',
      },
    },
    fixed: {
      enabled: true,
    },
    json: 'answer the outcome as JSON',
    examples: ['muster account enable datacentre'],
    async operation() {
      return (await import('./../../accounts/operations/set-account.ts')).setAccount;
    },
  },
  {
    description: 'Stop imports, exports and API writes through an account. Its hosts stay.',
    words: 'account disable',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the account',
      },
    },
    fixed: {
      enabled: false,
    },
    json: 'answer the outcome as JSON',
    examples: ['muster account disable datacentre'],
    async operation() {
      return (await import('./../../accounts/operations/set-account.ts')).setAccount;
    },
  },
  {
    description: 'Show an account with its options. Secrets are masked.',
    words: 'account show',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the account',
      },
    },
    json: 'answer the account as JSON',
    examples: ['muster account show datacentre'],
    async operation() {
      return (await import('./../../accounts/operations/show-account.ts')).showAccount;
    },
  },
  {
    description: 'List the accounts.',
    words: 'account list',
    columns: ['name', 'type', 'enabled', 'not_complete_since', 'import_undone'],
    json: 'answer a JSON array of accounts',
    examples: ['muster account list', 'muster account list --json'],
    async operation() {
      return (await import('./../../accounts/operations/show-accounts.ts')).showAccounts;
    },
  },
  {
    description:
      'Read the first three records of an account and show what they would become; of a target, ask it and show the first three hosts that it would get. Stores nothing.',
    words: 'account test',
    summary: 'try a source or target and show the first hosts',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the account',
      },
    },
    json: 'answer the records as JSON',
    examples: ['muster account test datacentre'],
    async operation() {
      return (await import('./../../runs/preview/operations/test-account.ts')).testAccount;
    },
  },
];
