import type { InventoryEntry } from '../../ports/index.ts';
import type { PreparedRecord } from '../domain/import/prepare-record.ts';
import { inventoryScope, type WriteModeContext, type WriteOutcome } from './write-mode.ts';

/** Writes the inventory sections of records whose labels were written; a changed section makes the host `updated`. */
export async function withInventory(
  context: WriteModeContext,
  records: readonly PreparedRecord[],
  outcomes: readonly WriteOutcome[],
): Promise<readonly WriteOutcome[]> {
  const written = records.flatMap((record, index) =>
    record.inventory.length > 0 && typeof outcomes[index] === 'string' ? [{ record, index }] : [],
  );
  if (written.length === 0) return outcomes;
  const result = [...outcomes];
  const settle = (index: number, changed: boolean): void => {
    if (changed && result[index] === 'unchanged') result[index] = 'updated';
  };
  try {
    const changed = await saveSections(
      context,
      written.map(({ record }) => record),
    );
    for (const { record, index } of written) settle(index, changed.has(record.hostname));
  } catch {
    for (const { record, index } of written) {
      try {
        settle(index, (await saveSections(context, [record])).size > 0);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        result[index] = { kind: 'failed', reason: `its inventory was not stored: ${message}` };
      }
    }
  }
  return result;
}

async function saveSections(
  context: WriteModeContext,
  records: readonly PreparedRecord[],
): Promise<ReadonlySet<string>> {
  const entries: InventoryEntry[] = records.flatMap(({ hostname, inventory }) =>
    inventory.map(({ key, section }) => ({ hostname, key, section })),
  );
  const outcomes = await context.hosts.saveInventory({
    entries,
    scope: inventoryScope(context),
    at: context.clock.now(),
    actor: context.actor,
  });
  return new Set(entries.flatMap((entry, index) => (outcomes[index] === 'updated' ? [entry.hostname] : [])));
}
