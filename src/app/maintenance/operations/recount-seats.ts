import * as z from 'zod';
import { memberInteger, memberText } from '../../../kit/document/members.ts';
import { AppError, type RuleRecord } from '../../../ports/index.ts';
import { FOLDER_POOL_TYPE } from '../../hosts/decisions/folder-seats.ts';
import type { Caller } from '../../kernel/caller.ts';
import { outOfService } from '../../rules/engine/life-cycle.ts';
import { importDocuments } from '../../rules/transfer/import-documents.ts';
import { defineOperation, type MaintenanceServices } from '../services.ts';

const BATCH_SIZE = 500;
/** A pool that changes all the time is counted by the next run. */
const MOST_ROUNDS = 5;

export const recountSeats = defineOperation({
  name: 'system/recount-seats',
  title: 'Recount seats',
  description:
    'Sets how many seats of each folder pool are taken to the number of active hosts that are in its folder. Pools in which nothing is to correct stay as they are.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: {},
  input: z.object({}),
  output: z.object({
    pools: z.number().int(),
    corrected: z.number().int().describe('Pools that had another number'),
    unsettled: z.number().int().describe('Pools that others changed at each try'),
  }),
  async run(_input, { services, caller, signal }) {
    const { rules } = services.storage;
    const all = await rules.list(FOLDER_POOL_TYPE);
    let pools = all;
    let corrected = 0;
    for (let round = 1; ; round++) {
      // The versions come first: a host that gives its seat back while hosts are counted changes the pool.
      const taken = await hostsByFolder(services, signal);
      const unsettled = new Set<string>();
      for (const pool of pools) {
        const seats = taken.get(memberText(pool.document.value, 'folder_name')) ?? 0;
        if ((memberInteger(pool.document.value, 'folder_seats_taken') ?? 0) === seats) continue;
        if (await store(services, caller, pool, seats)) corrected++;
        else unsettled.add(pool.id);
      }
      if (unsettled.size === 0 || round === MOST_ROUNDS) {
        return { pools: all.length, corrected, unsettled: unsettled.size };
      }
      pools = (await rules.list(FOLDER_POOL_TYPE)).filter(({ id }) => unsettled.has(id));
    }
  },
});

/** Hosts that are planned or decommissioned go to no monitoring, and take no seat there. */
async function hostsByFolder(
  { storage, config }: MaintenanceServices,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const hosts of storage.hosts.scan({ scope: null, kind: 'hosts', state: 'active' }, BATCH_SIZE)) {
    signal.throwIfAborted();
    for (const host of hosts) {
      if (host.folder === null || (config.CMDB_MODE && outOfService(host) !== undefined)) continue;
      counts.set(host.folder, (counts.get(host.folder) ?? 0) + 1);
    }
  }
  return counts;
}

/** False if another writer changed the pool meanwhile. */
async function store(
  services: MaintenanceServices,
  caller: Caller,
  { document, version }: RuleRecord,
  seats: number,
): Promise<boolean> {
  const documents = [{ ...document.value, folder_seats_taken: seats }];
  const options = { override: true, expectedVersion: version, keepsConfirmation: true };
  try {
    const { details } = await importDocuments(services, caller, [{ type: FOLDER_POOL_TYPE, documents }], options);
    return details.length === 0;
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return false;
    throw error;
  }
}
