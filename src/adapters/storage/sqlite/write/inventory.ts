import { sectionChange } from '../../../../app/hosts/decisions/host-changes.ts';
import { scopeTest } from '../../../../app/hosts/decisions/scope.ts';
import { jsonMembers, jsonOfMembers, sameJson } from '../../../../app/kernel/json/json-text.ts';
import type { AccountScope, InventoryOutcome } from '../../../../ports/index.ts';
import { type ChangeBy, remember, type WriteContext } from './context.ts';
import { inventoryOutgrows } from './host-size.ts';

export interface InventoryMessage extends ChangeBy {
  readonly scope: AccountScope;
  readonly hostnames: readonly string[];
  readonly keys: readonly string[];
  readonly sections: readonly string[];
  readonly maxBytes: number;
}

export function saveInventory(context: WriteContext, message: InventoryMessage): InventoryOutcome[] {
  const { connection, changes } = context;
  const inScope = scopeTest(message.scope);
  return message.hostnames.map((hostname, index) => {
    const row = connection.getRaw<[number, string | null, string]>(
      'SELECT id, account_id, inventory FROM hosts WHERE hostname = ? AND archived_at IS NULL',
      hostname,
    );
    if (row === undefined || !inScope(row[1])) return 'not_found';
    const key = message.keys[index] ?? '';
    const after = message.sections[index] ?? '{}';
    const sections = jsonMembers(row[2]);
    const before = sections.get(key);
    if (before !== undefined && sameJson(before, after)) return 'unchanged';
    const inventory = jsonOfMembers(sections.set(key, after));
    if (inventoryOutgrows(connection, row[0], row[2], inventory, message.maxBytes)) return 'too_large';
    connection.run(
      'UPDATE hosts SET inventory = ?, last_update = ? WHERE id = ?',
      inventory,
      message.at.getTime(),
      row[0],
    );
    remember(context, hostname, message, { kind: 'inventory', changes: [sectionChange(key, before, after)] });
    changes.revision('hosts');
    return 'updated';
  });
}
