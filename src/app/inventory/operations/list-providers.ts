import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { printable } from '../../words/escape.ts';
import { inventoryPaths } from '../inventory-paths.ts';

export const listProviders = defineOperation({
  name: 'inventory/list-providers',
  title: 'Inventory providers',
  description: 'Names of all inventory providers, sorted.',
  effect: 'read',
  roles: ['automation'],
  weight: 'light',
  at: {
    command: {
      words: 'inventory-providers',
      description:
        'List the names of all inventory providers, one a line: those of plugins and one for each enabled project.',
      json: 'answer {"providers": […]}',
      examples: ['muster inventory-providers', 'muster inventory-providers --json'],
      view: ({ providers }, print) => print.result(providers.map((name) => `${printable(name)}\n`).join('')),
    },
    rest: { path: 'GET /inventory/automation', ...inventoryPaths('') },
    page: true,
  },
  input: z.object({}),
  output: z.object({ providers: z.array(z.string()) }),
  async run(_input, { services }) {
    return { providers: [...(await services.inventories.names())] };
  },
});
