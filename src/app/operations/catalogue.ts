import { AppError } from '../../ports/index.ts';
import type { AnyOperation } from '../operation.ts';
import { archiveHost } from './hosts/archive-host.ts';
import { deleteHost } from './hosts/delete-host.ts';
import { getHost } from './hosts/get-host.ts';
import { hostCounters } from './hosts/host-counters.ts';
import { hostHistory } from './hosts/host-history.ts';
import { listHosts } from './hosts/list-hosts.ts';
import { restoreHost } from './hosts/restore-host.ts';
import { saveHost } from './hosts/save-host.ts';
import { saveHostsBulk } from './hosts/save-hosts-bulk.ts';
import { saveInventoriesBulk } from './hosts/save-inventories-bulk.ts';
import { saveInventory } from './hosts/save-inventory.ts';
import { addRelation } from './relations/add-relation.ts';
import { listRelations } from './relations/list-relations.ts';
import { removeRelation } from './relations/remove-relation.ts';

/** Every operation there is. A test compares this list with the folders. */
export const OPERATIONS: readonly AnyOperation[] = [
  addRelation,
  archiveHost,
  deleteHost,
  getHost,
  hostCounters,
  hostHistory,
  listHosts,
  listRelations,
  removeRelation,
  restoreHost,
  saveHost,
  saveHostsBulk,
  saveInventoriesBulk,
  saveInventory,
] as unknown as readonly AnyOperation[];

const byName = new Map(OPERATIONS.map((operation) => [operation.name, operation]));

export function findOperation(name: string): AnyOperation {
  const operation = byName.get(name);
  if (operation === undefined) throw new AppError('internal', `there is no operation ${name}`);
  return operation;
}
