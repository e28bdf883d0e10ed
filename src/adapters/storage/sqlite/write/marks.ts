import type { MarkedBy } from '../../../../ports/index.ts';
import type { WriteContext } from './context.ts';

/** Marks that accounts leave at hosts. */

interface MarksMessage extends MarkedBy {
  readonly hostnames: readonly string[];
}

interface KeysMessage {
  readonly accountId: string;
  readonly keys: readonly (readonly [hostname: string, value: string])[];
}

const PUT = `INSERT INTO account_marks (hostname, kind, value, account_id, at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET at = max(at, excluded.at)`;
const REMOVE = 'DELETE FROM account_marks WHERE hostname = ? AND kind = ? AND value = ? AND account_id = ? AND at < ?';

export function putMarks(
  { connection }: WriteContext,
  { hostnames, kind, value, accountId, at }: MarksMessage & { readonly at: number },
): void {
  for (const hostname of hostnames) connection.run(PUT, hostname, kind, value, accountId, at);
}

export function putKeys(
  { connection }: WriteContext,
  { keys, accountId, at }: KeysMessage & { readonly at: number },
): void {
  for (const [hostname, value] of keys) connection.run(PUT, hostname, 'key', value, accountId, at);
}

export function removeMarks(
  { connection }: WriteContext,
  { hostnames, kind, value, accountId, since }: MarksMessage & { readonly since: number },
): void {
  for (const hostname of hostnames) connection.run(REMOVE, hostname, kind, value, accountId, since);
}

export function removeKeys(
  { connection }: WriteContext,
  { keys, accountId, since }: KeysMessage & { readonly since: number },
): void {
  for (const [hostname, value] of keys) connection.run(REMOVE, hostname, 'key', value, accountId, since);
}

export function clearMarks({ connection }: WriteContext, accountId: string): number {
  return connection.run('DELETE FROM account_marks WHERE account_id = ?', accountId);
}
