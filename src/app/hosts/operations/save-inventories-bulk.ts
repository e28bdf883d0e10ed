import * as z from 'zod';
import { detailOf, placed, saidBy } from '../../../kit/worded.ts';
import { AppError, type InventoryEntry, StoredJson } from '../../../ports/index.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { Outage } from '../../kernel/outage.ts';
import { checkHostname } from '../decisions/hostname.ts';
import { checkSection, checkSectionKey } from '../decisions/inventory.ts';
import { hostnameSchema, sectionSchema } from '../host-schemas.ts';
import { defineOperation } from '../services.ts';
import { sectionKeySchema } from './save-inventory.ts';

export const saveInventoriesBulk = defineOperation({
  name: 'hosts/save-inventories-bulk',
  title: 'Replace inventory sections of many hosts',
  description:
    'Replaces inventory sections of many hosts. Everything is checked before the first write; unknown hosts are listed in not-found.',
  effect: 'write',
  roles: ['objects'],
  weight: 'heavy',
  at: { rest: { path: 'POST /objects/bulk/inventory', body: 'required' } },
  input: z.object({
    inventories: z.array(z.object({ hostname: hostnameSchema, key: sectionKeySchema, inventory: sectionSchema })),
  }),
  output: z.object({
    status: z.string().describe('saved <n>'),
    'not-found': z.array(z.string()),
    'not-saved': z
      .array(z.string())
      .optional()
      .describe('Hosts that would have become larger than MAX_HOST_BYTES; absent when there are none'),
  }),
  async run({ inventories }, { services, caller, signal }) {
    const entries: InventoryEntry[] = [];
    const positions: number[] = [];
    const missing = new Map<number, string>();
    const tooLarge: string[] = [];
    for (const [index, { hostname, key, inventory }] of inventories.entries()) {
      checkItem(index, key, inventory);
      const name = acceptedHostname(hostname);
      if (name === undefined) {
        missing.set(index, hostname);
        continue;
      }
      entries.push({ hostname: name, key, section: StoredJson.ofValue(inventory) });
      positions.push(index);
    }
    const actor = { kind: 'user', name: caller.name } as const;
    const write = { entries, scope: hostScopeOf(caller), at: services.clock.now(), actor };
    // A section that a try stored whose answer was lost is found as it shall be.
    const outcomes =
      entries.length === 0
        ? []
        : await Outage.ofCall(signal).through(() => services.storage.hosts.saveInventory(write));
    for (const [index, outcome] of outcomes.entries()) {
      const { hostname } = entries[index] as InventoryEntry;
      if (outcome === 'not_found') missing.set(positions[index] as number, hostname);
      if (outcome === 'too_large') tooLarge.push(hostname);
    }
    const notFound = [...missing].sort(([a], [b]) => a - b).map(([, hostname]) => hostname);
    return {
      status: `saved ${inventories.length - notFound.length - tooLarge.length}`,
      'not-found': notFound,
      ...(tooLarge.length === 0 ? {} : { 'not-saved': tooLarge }),
    };
  },
});

/** Names the item in what is wrong with it; one bad key refuses the whole batch. */
function checkItem(index: number, key: string, section: Parameters<typeof checkSection>[0]): void {
  try {
    checkSectionKey(key);
    checkSection(section);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const detail = detailOf(`inventories.${index}`, saidBy(error));
    throw new AppError('invalid_input', placed(detail), { details: [detail] });
  }
}

function acceptedHostname(hostname: string): string | undefined {
  try {
    return checkHostname(hostname);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
