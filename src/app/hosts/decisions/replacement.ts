import { archiveChange } from './archive.ts';
import { inventoryChanges, labelChanges, ownerChange, type Remembered } from './host-changes.ts';
import type { HostState } from './host-state.ts';

type Replaced = Pick<HostState, 'accountId' | 'archive'> & { readonly labels: string; readonly inventory: string };

/** What the history keeps when a whole record takes the place of another. */
export function replacementChanges(old: Replaced, now: Replaced): readonly Remembered[] {
  const remembered: Remembered[] = [];
  if (old.accountId !== now.accountId) remembered.push(ownerChange(old.accountId, now.accountId));
  const labels = labelChanges(old.labels, now.labels);
  if (labels.length > 0) remembered.push({ kind: 'labels', changes: labels });
  const inventory = inventoryChanges(old.inventory, now.inventory);
  if (inventory.length > 0) remembered.push({ kind: 'inventory', changes: inventory });
  if ((old.archive === null) !== (now.archive === null)) remembered.push(archiveChange(old.archive, now.archive));
  return remembered;
}
