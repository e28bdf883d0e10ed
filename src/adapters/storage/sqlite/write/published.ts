import type { SqlValue } from '../connection.ts';
import type { WriteContext } from './context.ts';

/** All files of an account in place of those that were there. */
export function replacePublished(
  { connection }: WriteContext,
  { accountId, rows }: { readonly accountId: string; readonly rows: readonly (readonly SqlValue[])[] },
): void {
  connection.run('DELETE FROM published WHERE account_id = ?', accountId);
  const sql =
    'INSERT INTO published (account_id, name, content_type, digest, size, published_at, body) VALUES (?, ?, ?, ?, ?, ?, ?)';
  for (const row of rows) connection.run(sql, accountId, ...row);
}
