import { jsonMembers, jsonOfMembers, sameJson } from '../../../kit/json/json-text.ts';
import type { InventoryOutcome, InventoryWrite } from '../../../ports/index.ts';
import { type Remembered, sectionChange } from './host-changes.ts';
import type { NamedChange } from './named-change.ts';
import { isActive, scopeTest } from './scope.ts';

export interface Section {
  readonly key: string;
  readonly section: string;
}

export interface SectionDecision {
  readonly outcome: Exclude<InventoryOutcome, 'not_found'>;
  /** Absent where the host is left alone. */
  readonly change?: { readonly inventory: string; readonly remembered: Remembered };
}

/** The change of an active host's inventory if one of its sections is replaced. */
export function sectionDecision(
  before: string,
  { key, section }: Section,
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

/** `HostStore.saveInventory`. */
export const saveSection: NamedChange<Omit<InventoryWrite, 'entries'>, Section, InventoryOutcome> = {
  name: 'saveSection',
  // The templates named by its members may decide which callers reach the host.
  reads: ['inventory', 'members'],
  deciding(message) {
    const reaches = scopeTest(message.scope);
    return (draft, section) => {
      const { host } = draft;
      if (!isActive(host, reaches)) return 'not_found';
      const { inventory } = host;
      const { outcome, change } = sectionDecision(inventory, section, (after) => !draft.mayBecome(inventory, after));
      if (change === undefined) return outcome;
      draft.change({ inventory: change.inventory, lastUpdate: message.at.getTime() });
      draft.visible = true;
      draft.remember(change.remembered, message);
      return outcome;
    };
  },
};
