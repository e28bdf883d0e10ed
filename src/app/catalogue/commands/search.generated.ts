import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `search …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description: 'List saved searches.',
    words: 'search list',
    columns: ['name', 'query', 'owner', 'shared'],
    json: 'answer the searches as JSON',
    examples: ['muster search list'],
    async operation() {
      return (await import('./../../search/operations/list-saved-searches.ts')).listSavedSearches;
    },
  },
  {
    description: 'Remove a saved search.',
    words: 'search remove',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the search',
      },
    },
    json: 'answer the outcome as JSON',
    examples: ["muster search remove 'old kernels'"],
    async operation() {
      return (await import('./../../search/operations/remove-saved-search.ts')).removeSavedSearch;
    },
  },
  {
    description: 'Save a search for hosts under a name.',
    words: 'search save',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the search',
      },
      where: {
        shown: '<query>',
        description: 'what is looked for',
      },
    },
    options: {
      columns: {
        flags: '--columns <fields>',
        description: 'fields that are shown of each host',
      },
      sort: {
        flags: '--sort <field>',
        description: 'a field to sort by',
      },
      kind: {
        flags: '--kind <kind>',
        description: 'hosts, objects or all',
      },
      state: {
        flags: '--state <state>',
        description: 'active, archived or any',
      },
      account: {
        flags: '--account <name>',
        description: 'only hosts of this account',
      },
      provider: {
        flags: '--provider <name>',
        description: 'the inventory that group: and served. ask',
      },
      shared: {
        flags: '--shared',
        description: 'share it with everyone who may see hosts',
      },
    },
    json: 'answer the outcome as JSON',
    examples: ["muster search save 'old kernels' 'kernel<5.10' --columns name,kernel --shared"],
    async operation() {
      return (await import('./../../search/operations/save-search.ts')).saveSearch;
    },
  },
];
