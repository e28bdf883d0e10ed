import type { SqlValue } from '../connection.ts';
import { PART_ROWS } from '../transfer-rows.ts';
import type { WriteContext } from './context.ts';

const { table, columns } = PART_ROWS.host_counts;

/** Later counts stay. */
const KEEP = `INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => '?')})
  ON CONFLICT (day) DO UPDATE SET at = excluded.at, accounts = excluded.accounts WHERE at <= excluded.at`;

export function keepHostCounts({ connection }: WriteContext, row: readonly SqlValue[]): void {
  connection.run(KEEP, ...row);
}

export function pruneHostCounts({ connection }: WriteContext, before: string): number {
  return connection.run(`DELETE FROM ${table} WHERE day < ?`, before);
}
