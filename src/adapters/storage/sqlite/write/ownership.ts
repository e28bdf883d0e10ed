import type { OwnedKey } from '../../../../ports/index.ts';
import type { SqlValue } from '../connection.ts';
import { PART_ROWS } from '../transfer-rows.ts';
import type { WriteContext } from './context.ts';
import { writeRows } from './write-rows.ts';

/** Objects of remote systems that are ours. */

export function saveOwnership({ connection }: WriteContext, rows: readonly (readonly SqlValue[])[]): void {
  const { table, columns } = PART_ROWS.ownership;
  writeRows(connection, `INSERT INTO ${table} (${columns.join(', ')})`, rows, CHANGED_IN_PLACE);
}

const { columns: COLUMNS, key: KEY } = PART_ROWS.ownership;

/** Replacing a row takes a third longer, because its place in the index is created again. */
const CHANGED_IN_PLACE = `ON CONFLICT (${KEY.join(', ')}) DO UPDATE SET ${COLUMNS.filter((name) => !KEY.includes(name))
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')}`;

export function removeOwnership(
  { connection }: WriteContext,
  { accountId, keys }: { readonly accountId: string; readonly keys: readonly OwnedKey[] },
): void {
  const sql = 'DELETE FROM ownership WHERE account_id = ? AND kind = ? AND key = ?';
  for (const { kind, key } of keys) connection.run(sql, accountId, kind, key);
}

export function clearOwnership({ connection }: WriteContext, accountId: string): number {
  return connection.run('DELETE FROM ownership WHERE account_id = ?', accountId);
}
