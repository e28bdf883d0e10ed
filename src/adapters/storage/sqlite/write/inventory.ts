import { scopeTest } from '../../../../app/hosts/decisions/scope.ts';
import { sectionDecision } from '../../../../app/hosts/decisions/section.ts';
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
  const reaches = scopeTest(message.scope);
  return message.hostnames.map((hostname, index) => {
    const row = connection.getRaw<[number, string | null, string]>(
      'SELECT id, account_id, inventory FROM hosts WHERE hostname = ? AND archived_at IS NULL',
      hostname,
    );
    if (row === undefined || !reaches(row[1])) return 'not_found';
    const [id, , before] = row;
    const given = { key: message.keys[index] ?? '', section: message.sections[index] ?? '{}' };
    const { outcome, change } = sectionDecision(before, given, (inventory) =>
      inventoryOutgrows(connection, id, before, inventory, message.maxBytes),
    );
    if (change === undefined) return outcome;
    const sql = 'UPDATE hosts SET inventory = ?, last_update = ? WHERE id = ?';
    connection.run(sql, change.inventory, message.at.getTime(), id);
    remember(context, hostname, message, change.remembered);
    changes.revision('hosts');
    return outcome;
  });
}
