import * as z from 'zod';
import { type Caller, hostScopeOf } from '../../kernel/caller.ts';
import { inventoryPaths } from '../inventory-paths.ts';
import { providerName } from '../provider-name.ts';
import { renderMode } from '../render-mode.ts';
import type { InventoryServices } from '../services.ts';
import { defineStreamOperation } from '../services.ts';

export const renderInventory = defineStreamOperation({
  name: 'inventory/render-inventory',
  title: 'Inventory',
  description: 'The script inventory of a provider, or the variables of one of its hosts.',
  effect: 'read',
  roles: ['automation'],
  weight: 'heavy',
  isShared: true,
  at: {
    rest: {
      path: 'GET /inventory/automation/:provider',
      ...inventoryPaths('/:provider'),
      query: ['host'],
      tagsMember: 'known_tags',
      cacheControl: 'private, no-cache',
      errors: ['not_found', 'failed'],
    },
    page: true,
  },
  input: z.object({
    provider: z.string().min(1).describe('Name of the provider'),
    host: z.string().trim().optional().describe('Only the variables of this host'),
    hosts: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('Only these hosts, with their groups; fails if one is missing'),
    document: z.boolean().default(false).describe('With host: the inventory of that one host, with its groups'),
    known_tags: z.array(z.string()).optional().describe('Entity tags of answers that the caller already has'),
  }),
  output: z.record(z.string(), z.unknown()),
  async run({ provider, host, hosts, document, known_tags }, { services, caller, signal }) {
    const answer = await services.inventories.answer({
      provider: providerName(provider),
      ...(host === undefined ? {} : { hostname: host, asDocument: document }),
      ...(hosts === undefined ? {} : { hostnames: hosts }),
      request: { scope: hostScopeOf(caller), signal },
      render: renderMode(services, caller),
      ...(known_tags === undefined ? {} : { knownTags: known_tags }),
    });
    return answer.unchanged
      ? answer
      : {
          ...answer,
          body: noted(answer.body, () =>
            noteSecrets(services, caller, { operation: 'inventory/render-inventory', subject: provider }),
          ),
        };
  },
});

/** Notes the read at its end, when it is known which secrets rules show, even if the reader leaves half way. */
async function* noted<Chunk>(body: AsyncIterable<Chunk>, note: () => void): AsyncGenerator<Chunk> {
  try {
    yield* body;
  } finally {
    note();
  }
}

/** A read that showed secrets, as the audit log keeps it. */
interface ShownSecrets {
  readonly operation: string;
  readonly subject: string;
}

export function noteSecrets(services: InventoryServices, caller: Caller, read: ShownSecrets): void {
  const accounts = services.evaluators.openedAccounts();
  if (accounts.length > 0) noteRead(services, caller, read, `rules show secrets of ${accounts.join(', ')}`);
}

/** Consumers ask every few minutes: the first read is kept, and then how many there were. */
export function noteRead(services: InventoryServices, caller: Caller, read: ShownSecrets, details: string): void {
  services.audit.keepSummed({
    id: services.newId(),
    at: services.clock.now(),
    actor: caller.name,
    entrance: caller.entrance,
    address: caller.address,
    ...read,
    outcome: 'done',
    requestId: caller.requestId,
    details,
  });
}
