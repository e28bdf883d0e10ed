import type { WriteContext } from './context.ts';

/** Records which process runs which cron group. Times are milliseconds; `now` is the clock of the storage that called. */

interface Holding {
  readonly groupId: string;
  readonly holder: string;
}

export interface ClaimMessage extends Holding {
  readonly at: number;
  readonly seenStart: number | null;
  readonly requested: boolean;
  readonly now: number;
  readonly leaseMs: number;
}

export function claimGroup({ connection }: WriteContext, message: ClaimMessage): boolean {
  const { groupId, holder, at, seenStart, now } = message;
  const requested = message.requested ? 1 : 0;
  const leaseUntil = now + message.leaseMs;
  if (seenStart === null) {
    const sql = `INSERT INTO cron_states (group_id, last_start, requested, attempts, holder, lease_until)
      VALUES (?, ?, ?, 1, ?, ?) ON CONFLICT DO NOTHING`;
    return connection.run(sql, groupId, at, requested, holder, leaseUntil) === 1;
  }
  const sql = `UPDATE cron_states SET last_start = ?, last_end = NULL, requested = ?, attempts = attempts + 1, holder = ?,
    lease_until = ? WHERE group_id = ? AND last_start = ? AND lease_until <= ?`;
  return connection.run(sql, at, requested, holder, leaseUntil, groupId, seenStart, now) === 1;
}

export interface KeepMessage extends Holding {
  readonly now: number;
  readonly leaseMs: number;
}

export function keepGroup({ connection }: WriteContext, { groupId, holder, now, leaseMs }: KeepMessage): boolean {
  const sql = 'UPDATE cron_states SET lease_until = ? WHERE group_id = ? AND holder = ?';
  return connection.run(sql, now + leaseMs, groupId, holder) === 1;
}

export interface FinishMessage extends Holding {
  readonly at: number;
  readonly message: string;
  readonly hasError: boolean;
}

export function finishGroup({ connection }: WriteContext, message: FinishMessage): boolean {
  const sql = `UPDATE cron_states SET last_end = ?, message = ?, has_error = ?, holder = NULL, attempts = 0, lease_until = 0
    WHERE group_id = ? AND holder = ?`;
  const hasError = message.hasError ? 1 : 0;
  return connection.run(sql, message.at, message.message, hasError, message.groupId, message.holder) === 1;
}

export interface ReleaseMessage extends Holding {
  readonly uncounted?: boolean;
  readonly now: number;
}

export function releaseGroup({ connection }: WriteContext, message: ReleaseMessage): boolean {
  const sql = `UPDATE cron_states SET lease_until = 0, attempts = attempts - ?
    WHERE group_id = ? AND holder = ? AND lease_until > ?`;
  return connection.run(sql, message.uncounted ? 1 : 0, message.groupId, message.holder, message.now) === 1;
}

export interface RetainMessage {
  readonly groupIds: readonly string[];
  readonly now: number;
}

export function retainGroups({ connection }: WriteContext, { groupIds, now }: RetainMessage): number {
  return connection.run(
    'DELETE FROM cron_states WHERE lease_until <= ? AND group_id NOT IN (SELECT value FROM json_each(?))',
    now,
    JSON.stringify(groupIds),
  );
}
