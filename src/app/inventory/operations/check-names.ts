import * as z from 'zod';
import { hostScopeOf } from '../../kernel/caller.ts';
import { providerName } from '../provider-name.ts';
import { renderMode } from '../render-mode.ts';
import { defineOperation } from '../services.ts';

const MOST = 100;

export const checkNames = defineOperation({
  name: 'inventory/check-names',
  title: 'Names of an inventory',
  description:
    'Names that became one when they were made safe, hosts and groups that are left out, and variables that Ansible refuses or reserves.',
  effect: 'read',
  roles: ['automation'],
  weight: 'heavy',
  at: { page: true },
  input: z.object({ provider: z.string().min(1).describe('Name of the provider') }),
  output: z.object({
    names: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .readonly()
      .describe('The first hundred'),
    total: z.number().int(),
  }),
  async run({ provider }, { services, caller, signal }) {
    const names = await services.inventories.nameReport({
      provider: providerName(provider),
      request: { scope: hostScopeOf(caller), signal },
      render: renderMode(services, caller),
    });
    return { names: names.slice(0, MOST), total: names.length };
  },
});
