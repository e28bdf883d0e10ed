import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { inventoryPaths } from '../inventory-paths.ts';

export const listProviders = defineOperation({
  name: 'inventory/list-providers',
  title: 'Inventory providers',
  description: 'Names of all inventory providers, sorted.',
  effect: 'read',
  roles: ['automation'],
  weight: 'light',
  at: { rest: { path: 'GET /inventory/automation', ...inventoryPaths('') }, page: true },
  input: z.object({}),
  output: z.object({ providers: z.array(z.string()) }),
  async run(_input, { services }) {
    return { providers: [...(await services.inventories.names())] };
  },
});
