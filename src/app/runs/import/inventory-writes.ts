import { worded } from '../../../kit/worded.ts';
import type { InventoryEntry, InventoryOutcome } from '../../../ports/index.ts';
import { isUnavailable } from '../../kernel/outage.ts';
import type { PreparedRecord } from './decisions/prepare-record.ts';
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
  const settle = (index: number, hostname: string, { updated, tooLarge }: SavedSections): void => {
    if (updated.has(hostname) && result[index] === 'unchanged') result[index] = 'updated';
    const key = tooLarge.get(hostname);
    if (key === undefined) return;
    const reason = worded`its inventory ${{ key }} was not stored: the host would be larger than MAX_HOST_BYTES allows`;
    result[index] = { kind: 'failed', reason };
  };
  try {
    const saved = await saveSections(
      context,
      written.map(({ record }) => record),
    );
    for (const { record, index } of written) settle(index, record.hostname, saved);
  } catch (refusal) {
    if (isUnavailable(refusal)) throw refusal;
    for (const { record, index } of written) {
      try {
        settle(index, record.hostname, await saveSections(context, [record]));
      } catch (error) {
        if (isUnavailable(error)) throw error;
        const message = error instanceof Error ? error.message : String(error);
        result[index] = { kind: 'failed', reason: worded`its inventory was not stored: ${{ message }}` };
      }
    }
  }
  return result;
}

interface SavedSections {
  readonly updated: ReadonlySet<string>;
  /** By hostname the key of a section that does not fit. */
  readonly tooLarge: ReadonlyMap<string, string>;
}

async function saveSections(context: WriteModeContext, records: readonly PreparedRecord[]): Promise<SavedSections> {
  const entries: InventoryEntry[] = records.flatMap(({ hostname, inventory }) =>
    inventory.map(({ key, section }) => ({ hostname, key, section })),
  );
  const outcomes = await context.hosts.saveInventory({
    entries,
    scope: inventoryScope(context),
    at: context.clock.now(),
    actor: context.actor,
  });
  const of = (outcome: InventoryOutcome): InventoryEntry[] => entries.filter((_, index) => outcomes[index] === outcome);
  return {
    updated: new Set(of('updated').map(({ hostname }) => hostname)),
    tooLarge: new Map(of('too_large').map(({ hostname, key }) => [hostname, key])),
  };
}
