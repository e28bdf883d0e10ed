import * as z from 'zod';
import { defineOperation } from '../../maintenance/services.ts';
import { compareInventory as compare } from '../compare-inventory.ts';

export const compareInventory = defineOperation({
  name: 'system/compare-inventory',
  title: 'Compare inventories',
  description:
    'Compares the inventory of another installation with ours, host by host and variable by variable, and names the rule or source of ours. Differences of one variable with one cause are one group.',
  effect: 'read',
  roles: ['admin'],
  weight: 'heavy',
  at: { remote: true },
  auditReads: true,
  input: z.object({
    provider: z.string().min(1).default('automation').describe('Name of our provider'),
    theirs: z.string().describe('The other inventory, as --list prints it'),
    examples: z.coerce.number().int().min(1).max(1000).default(3).describe('Hosts that a group names'),
  }),
  output: z.object({
    provider: z.string(),
    hosts: z.object({
      theirs: z.number().int(),
      ours: z.number().int(),
      same: z.number().int().describe('Hosts whose variables are equal'),
    }),
    differences: z.number().int(),
    groups: z.array(
      z.object({
        variable: z.string().nullable().describe('null: the host itself'),
        how: z
          .enum(['changed', 'type', 'missing', 'added'])
          .describe('type: the same text as another type; missing: not here; added: only here'),
        cause: z.string(),
        rule: z.object({ type: z.string(), id: z.string(), name: z.string() }).nullable(),
        count: z.number().int(),
        examples: z.array(
          z.object({ hostname: z.string(), theirs: z.unknown().optional(), ours: z.unknown().optional() }),
        ),
      }),
    ),
  }),
  subject: ({ provider }) => provider,
  async run({ provider, theirs, examples }, { services, caller, signal, progress }) {
    const report = await compare(services, caller, {
      provider,
      theirs,
      examples,
      signal,
      progress: (done, total) => progress({ done, total, unit: 'hosts' }),
    });
    return { ...report, groups: report.groups.map((group) => ({ ...group, examples: [...group.examples] })) };
  },
});
