import { sectionChange } from '../../../app/hosts/decisions/host-changes.ts';
import { inScope } from '../../../app/hosts/decisions/scope.ts';
import { jsonMembers, jsonOfMembers, sameJson } from '../../../app/kernel/json/json-text.ts';
import type { InventoryOutcome, InventoryWrite } from '../../../ports/index.ts';
import { grouped, inOrder } from './host-labels.ts';
import { changeHosts, type HostSlot } from './host-writer.ts';
import type { Context } from './session.ts';

export async function saveInventory(context: Context, write: InventoryWrite): Promise<InventoryOutcome[]> {
  const sections = write.entries.map((entry) => entry.section.text);
  for (const text of sections) JSON.parse(text);
  const { names, entriesOf } = grouped(write.entries.map((entry) => entry.hostname));
  const answers = await changeHosts(context, {
    hostnames: names,
    read: ['inventory'],
    at: write.at,
    actor: write.actor,
    decide: (slot) =>
      (entriesOf.get(slot.hostname) ?? []).map((index) => {
        const key = write.entries[index]?.key ?? '';
        return saveSection(slot, write, key, sections[index] ?? '{}');
      }),
  });
  return inOrder(write.entries.length, entriesOf, answers);
}

function saveSection(slot: HostSlot, write: InventoryWrite, key: string, section: string): InventoryOutcome {
  const { host } = slot;
  if (host === undefined || host.archived || !inScope(host.account, write.scope)) return 'not_found';
  const members = jsonMembers(host.inventory);
  const before = members.get(key);
  if (before !== undefined && sameJson(before, section)) return 'unchanged';
  const inventory = jsonOfMembers(members.set(key, section));
  if (!slot.mayBecome(host.inventory, inventory)) return 'too_large';
  host.inventory = inventory;
  host.lastUpdate = write.at;
  slot.visible = true;
  slot.remember({ kind: 'inventory', changes: [sectionChange(key, before, section)] });
  return 'updated';
}
