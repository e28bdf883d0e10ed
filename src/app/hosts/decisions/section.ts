import type { InventoryOutcome } from '../../../ports/index.ts';
import { jsonMembers, jsonOfMembers, sameJson } from '../../kernel/json/json-text.ts';
import { type Remembered, sectionChange } from './host-changes.ts';

export interface SectionDecision {
  readonly outcome: Exclude<InventoryOutcome, 'not_found'>;
  /** Absent where the host is left alone. */
  readonly change?: { readonly inventory: string; readonly remembered: Remembered };
}

/** What becomes of the inventory of an active host when one of its sections is replaced. */
export function sectionDecision(
  before: string,
  { key, section }: { readonly key: string; readonly section: string },
  tooLarge: (inventory: string) => boolean,
): SectionDecision {
  const sections = jsonMembers(before);
  const present = sections.get(key);
  if (present !== undefined && sameJson(present, section)) return { outcome: 'unchanged' };
  const inventory = jsonOfMembers(sections.set(key, section));
  if (tooLarge(inventory)) return { outcome: 'too_large' };
  const remembered: Remembered = { kind: 'inventory', changes: [sectionChange(key, present, section)] };
  return { outcome: 'updated', change: { inventory, remembered } };
}
