import * as z from 'zod';
import { hostScopeOf } from '../../kernel/caller.ts';
import { providerName } from '../provider-name.ts';
import { renderMode } from '../render-mode.ts';
import { defineOperation } from '../services.ts';

const MOST_GROUPS = 1000;

export const browseInventory = defineOperation({
  name: 'inventory/browse-inventory',
  title: 'Hosts and groups of an inventory',
  description: 'Hosts of an inventory in pages, by text or group, and its groups with their sizes; without variables.',
  effect: 'read',
  roles: ['automation'],
  weight: 'heavy',
  at: { page: true },
  input: z.object({
    provider: z.string().min(1).describe('Name of the provider'),
    text: z.string().default('').describe('Part of the hostname, ignoring case'),
    group: z.string().optional().describe('Only hosts of this group, and of groups below it'),
    start: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(1000).default(100),
  }),
  output: z.object({
    provider: z.string(),
    total: z.number().int().describe('Hosts of the inventory'),
    found: z.number().int().describe('Hosts with the text and of the group'),
    hosts: z.array(z.object({ hostname: z.string(), groups: z.array(z.string()) })),
    group_count: z.number().int(),
    groups: z
      .array(
        z.object({
          name: z.string(),
          hosts: z.number().int().describe('Hosts of the group, and of the groups below it'),
          parents: z.array(z.string()).describe('Groups that it is a child of, except all'),
          children: z.array(z.string()),
        }),
      )
      .describe('The first thousand, by name'),
  }),
  async run({ provider, text, group, start, limit }, { services, caller, signal }) {
    const called = providerName(provider);
    const index = await services.inventories.index({
      provider: called,
      request: { scope: hostScopeOf(caller), signal },
      render: renderMode(services, caller),
    });
    const wanted = text.trim().toLowerCase();
    const found =
      wanted === '' && group === undefined
        ? index.hosts
        : index.hosts.filter(
            (host) => host.hostname.toLowerCase().includes(wanted) && (group === undefined || index.isIn(host, group)),
          );
    return {
      provider: called,
      total: index.hosts.length,
      found: found.length,
      hosts: found.slice(start, start + limit).map(({ hostname, groups }) => ({ hostname, groups: [...groups] })),
      group_count: index.groups.size,
      groups: [...index.groups].slice(0, MOST_GROUPS).map(([name, { hosts, parents, children }]) => {
        return { name, hosts, parents: [...parents], children: [...children] };
      }),
    };
  },
});
