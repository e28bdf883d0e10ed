import type { OwnershipStore } from '../../ports/index.ts';

/** Kind of the row that names the system of the objects of an account. No kind of a target is called so. */
export const SYSTEM_KIND = '$system';

const OBJECTS_A_BATCH = 500;

/** How many objects an account owns in the system that it is exported to. */
export async function countOwned(ownership: OwnershipStore, accountId: string): Promise<number> {
  let count = 0;
  for await (const batch of ownership.scan(accountId, OBJECTS_A_BATCH))
    count += batch.filter(({ kind }) => kind !== SYSTEM_KIND).length;
  return count;
}
