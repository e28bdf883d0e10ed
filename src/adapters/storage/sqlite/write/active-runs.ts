import type { ActiveRunKey } from '../../../../ports/index.ts';
import { runInTheWay, type StoredActiveRun } from '../../shared/active-run.ts';
import { ACTIVE_RUN_COLUMNS, type ActiveRunRow, toStoredRun } from '../rows.ts';
import type { WriteContext } from './context.ts';

/** Current runs of accounts. Times are milliseconds; `now` is the clock of the storage that called. */

export interface BeginRunMessage {
  readonly run: StoredActiveRun;
  readonly now: number;
}

/** Answers the run that is in the way. What of the account is over is forgotten. */
export function beginActiveRun({ connection }: WriteContext, message: BeginRunMessage): StoredActiveRun | null {
  const { accountId, id, leaseUntil, cancelRequested, progress, ...run } = message.run;
  const sql = `SELECT ${ACTIVE_RUN_COLUMNS} FROM active_runs WHERE account_id = ? AND lease_until > ? ORDER BY id`;
  const going = connection.all<ActiveRunRow>(sql, accountId, message.now).map(toStoredRun);
  const other = runInTheWay(going, message.run);
  if (other !== undefined) return other;
  connection.run('DELETE FROM active_runs WHERE account_id = ? AND lease_until <= ?', accountId, message.now);
  connection.run(
    'INSERT INTO active_runs (id, account_id, lease_until, run) VALUES (?, ?, ?, ?)',
    id,
    accountId,
    leaseUntil,
    JSON.stringify(run),
  );
  return null;
}

export interface KeepActiveRunMessage extends Pick<ActiveRunKey, 'id'> {
  readonly leaseUntil: number;
  /** JSON; `null` leaves it. */
  readonly progress: string | null;
}

export function keepActiveRun(
  { connection }: WriteContext,
  { id, leaseUntil, progress }: KeepActiveRunMessage,
): 'kept' | 'cancel' | 'ended' {
  const sql = 'UPDATE active_runs SET lease_until = ?, progress = ifnull(?, progress) WHERE id = ?';
  if (connection.run(sql, leaseUntil, progress, id) === 0) return 'ended';
  const cancel = connection.getRaw<[number]>('SELECT cancel_requested FROM active_runs WHERE id = ?', id);
  return cancel?.[0] === 1 ? 'cancel' : 'kept';
}

export function endActiveRun({ connection }: WriteContext, id: string): boolean {
  return connection.run('DELETE FROM active_runs WHERE id = ?', id) === 1;
}

export interface CancelRunMessage extends Pick<ActiveRunKey, 'id'> {
  readonly now: number;
}

export function cancelActiveRun({ connection }: WriteContext, { id, now }: CancelRunMessage): boolean {
  return connection.run('UPDATE active_runs SET cancel_requested = 1 WHERE id = ? AND lease_until > ?', id, now) === 1;
}
