import type { MarkedBy } from '../../../../ports/index.ts';
import type { WriteContext } from './context.ts';

/** Marks that accounts leave at hosts. */

interface MarksMessage extends MarkedBy {
  readonly hostnames: readonly string[];
}

export function putMarks(
  { connection }: WriteContext,
  { hostnames, kind, value, accountId, at }: MarksMessage & { readonly at: number },
): void {
  const sql = `INSERT INTO account_marks (hostname, kind, value, account_id, at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET at = max(at, excluded.at)`;
  for (const hostname of hostnames) connection.run(sql, hostname, kind, value, accountId, at);
}

export function removeMarks(
  { connection }: WriteContext,
  { hostnames, kind, value, accountId, since }: MarksMessage & { readonly since: number },
): void {
  const sql = 'DELETE FROM account_marks WHERE hostname = ? AND kind = ? AND value = ? AND account_id = ? AND at < ?';
  for (const hostname of hostnames) connection.run(sql, hostname, kind, value, accountId, since);
}
