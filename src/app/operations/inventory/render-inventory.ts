import * as z from 'zod';
import { defineStreamOperation } from '../../execution/operation.ts';
import { providerName } from '../../inventory/provider-name.ts';
import { renderMode } from './render-mode.ts';

export const renderInventory = defineStreamOperation({
  name: 'inventory/render-inventory',
  title: 'Inventory',
  description: 'The script inventory of a provider, or the variables of one of its hosts.',
  effect: 'read',
  roles: ['automation'],
  weight: 'heavy',
  input: z.object({
    provider: z.string().min(1).describe('Name of the provider'),
    host: z.string().trim().optional().describe('Only the variables of this host'),
    document: z.boolean().default(false).describe('With host: the inventory of that one host, with its groups'),
    known_tags: z.array(z.string()).optional().describe('Entity tags of answers that the caller already has'),
  }),
  output: z.record(z.string(), z.unknown()),
  async run({ provider, host, document, known_tags }, { services, caller, signal }) {
    return services.inventories.answer({
      provider: providerName(provider),
      ...(host === undefined ? {} : { hostname: host, asDocument: document }),
      request: { scope: caller.scope, signal },
      render: renderMode(services, caller),
      ...(known_tags === undefined ? {} : { knownTags: known_tags }),
    });
  },
});
