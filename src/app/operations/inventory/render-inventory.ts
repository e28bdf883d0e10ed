import * as z from 'zod';
import { defineStreamOperation } from '../../execution/operation.ts';

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
    known_tags: z.array(z.string()).optional().describe('Entity tags of answers that the caller already has'),
  }),
  output: z.record(z.string(), z.unknown()),
  async run({ provider, host, known_tags }, { services, caller, signal }) {
    const { INVENTORY_TEMPLATE_TEXT: mode, INVENTORY_VARIABLE_NAMES: names } = services.config;
    // Only script inventories unwrap values that are marked unsafe, so everybody else gets broken text instead.
    const templateText = mode === 'wrap' && caller.entrance !== 'cli' ? 'break' : mode;
    return services.inventories.answer({
      provider: provider === 'ansible' ? 'automation' : provider,
      ...(host === undefined ? {} : { hostname: host }),
      request: { scope: caller.scope, signal },
      render: { templateText, names },
      ...(known_tags === undefined ? {} : { knownTags: known_tags }),
    });
  },
});
