import { isActive, type ScopeTest, scopeTest } from '../../../app/hosts/decisions/scope.ts';
import { sectionDecision } from '../../../app/hosts/decisions/section.ts';
import type { InventoryOutcome, InventoryWrite } from '../../../ports/index.ts';
import { stateOf } from './documents.ts';
import { grouped, inOrder } from './host-labels.ts';
import { changeHosts, type HostSlot } from './host-writer.ts';
import type { Context } from './session.ts';

export async function saveInventory(context: Context, write: InventoryWrite): Promise<InventoryOutcome[]> {
  const sections = write.entries.map((entry) => entry.section.text);
  for (const text of sections) JSON.parse(text);
  const reaches = scopeTest(write.scope);
  const { names, entriesOf } = grouped(write.entries.map((entry) => entry.hostname));
  const answers = await changeHosts(context, {
    hostnames: names,
    read: ['inventory'],
    at: write.at,
    actor: write.actor,
    decide: (slot) =>
      (entriesOf.get(slot.hostname) ?? []).map((index) => {
        const key = write.entries[index]?.key ?? '';
        return saveSection(slot, reaches, write.at, { key, section: sections[index] ?? '{}' });
      }),
  });
  return inOrder(write.entries.length, entriesOf, answers);
}

function saveSection(
  slot: HostSlot,
  reaches: ScopeTest,
  at: Date,
  given: { readonly key: string; readonly section: string },
): InventoryOutcome {
  const { host } = slot;
  if (host === undefined || !isActive(stateOf(host), reaches)) return 'not_found';
  const { inventory } = host;
  const { outcome, change } = sectionDecision(inventory, given, (after) => !slot.mayBecome(inventory, after));
  if (change === undefined) return outcome;
  host.inventory = change.inventory;
  host.lastUpdate = at;
  slot.visible = true;
  slot.remember(change.remembered);
  return outcome;
}
