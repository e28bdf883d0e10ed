import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `inventory-providers …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'List the names of all inventory providers, one a line: those of plugins and one for each enabled project.',
    words: 'inventory-providers',
    columns: ['name', 'plugin', 'description'],
    json: 'answer {"providers": […]}',
    examples: ['muster inventory-providers', 'muster inventory-providers --json'],
    async operation() {
      return (await import('./../../inventory/operations/list-providers.ts')).listProviders;
    },
  },
];
