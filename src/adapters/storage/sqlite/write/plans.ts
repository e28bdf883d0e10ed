import type { EntryEnd, HeldPlan } from '../../../../ports/index.ts';
import { DISCARDABLE, type StoredPlan } from '../../shared/stored-plan.ts';
import type { Connection, SqlValue } from '../connection.ts';
import type { WriteContext } from './context.ts';
import { writeRows } from './write-rows.ts';

/** Plans and their entries. Times are milliseconds; `now` is the clock of the storage that called. */

export function beginPlan(
  { connection }: WriteContext,
  { plan, now }: { readonly plan: StoredPlan; readonly now: number },
): boolean {
  if (plan.holds !== null && !takeAccount(connection, plan.holds, plan.id, now)) return false;
  connection.run(
    `INSERT INTO plans (id, account_id, account, made_by, made_at, hosts_revision, rules_revision, status, lease_until, holder, holds, counts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    plan.id,
    plan.accountId,
    plan.account,
    plan.madeBy,
    plan.madeAt,
    plan.hostsRevision,
    plan.rulesRevision,
    plan.status,
    plan.leaseUntil,
    plan.holder,
    plan.holds,
    plan.counts,
  );
  return true;
}

/** Takes an account away from plans whose lease is over. False when another one holds it. */
function takeAccount(connection: Connection, accountId: string, id: string, now: number): boolean {
  connection.run('UPDATE plans SET holds = NULL WHERE holds = ? AND id <> ? AND lease_until <= ?', accountId, id, now);
  return connection.getRaw('SELECT 1 FROM plans WHERE holds = ? AND id <> ?', accountId, id) === undefined;
}

export interface AppendMessage {
  readonly id: string;
  /** As `ENTRY_COLUMNS` are. */
  readonly rows: readonly (readonly SqlValue[])[];
  readonly leaseUntil: number;
}

const ENTRY_COLUMNS = 'plan_id, number, action, kind, key, previous_key, hostname, outcome, reason, body';

export function appendPlanEntries({ connection }: WriteContext, { id, rows, leaseUntil }: AppendMessage): boolean {
  const kept = connection.run("UPDATE plans SET lease_until = ? WHERE id = ? AND status = 'planning'", leaseUntil, id);
  if (kept === 0) return false;
  writeRows(connection, `INSERT INTO plan_entries (${ENTRY_COLUMNS})`, rows);
  return true;
}

export interface SettleMessage {
  readonly id: string;
  readonly status: string;
  readonly counts: string;
  readonly needsApproval: boolean;
  readonly message: string;
}

export function settlePlan({ connection }: WriteContext, end: SettleMessage): boolean {
  const isHolding = end.status === 'ready';
  const held = isHolding ? 'lease_until = iif(holds IS NULL, 0, lease_until)' : 'lease_until = 0, holds = NULL';
  const sql = `UPDATE plans SET status = ?, counts = ?, needs_approval = ?, message = ?, ${held}
    WHERE id = ? AND status = 'planning'`;
  return connection.run(sql, end.status, end.counts, end.needsApproval ? 1 : 0, end.message, end.id) === 1;
}

export function approvePlan(
  { connection }: WriteContext,
  { id, by, at }: { readonly id: string; readonly by: string; readonly at: number },
): boolean {
  const sql = `UPDATE plans SET approved_by = ?, approved_at = ?
    WHERE id = ? AND status = 'ready' AND needs_approval = 1 AND approved_by IS NULL`;
  return connection.run(sql, by, at, id) === 1;
}

export interface ClaimPlanMessage {
  readonly id: string;
  readonly holder: string;
  readonly by: string;
  readonly at: number;
  readonly now: number;
  readonly leaseUntil: number;
}

export function claimPlan({ connection }: WriteContext, claim: ClaimPlanMessage): boolean {
  const { id, holder, by, at, now, leaseUntil } = claim;
  const [accountId] = connection.getRaw<[string]>('SELECT account_id FROM plans WHERE id = ?', id) ?? [];
  if (accountId === undefined || !takeAccount(connection, accountId, id, now)) return false;
  const sql = `UPDATE plans SET status = 'applying', holds = account_id, holder = ?, applied_by = ?, applied_at = ?, lease_until = ?
    WHERE id = ? AND (status = 'ready' OR (status = 'applying' AND lease_until <= ?))
    AND (needs_approval = 0 OR approved_by IS NOT NULL)`;
  return connection.run(sql, holder, by, at, leaseUntil, id, now) === 1;
}

export interface KeepPlanMessage {
  readonly id: string;
  readonly holder: string;
  readonly leaseUntil: number;
  readonly done: number;
  readonly failed: number;
}

export function keepPlan({ connection }: WriteContext, held: KeepPlanMessage): boolean {
  const sql = `UPDATE plans SET lease_until = ?, done = ?, failed = ? WHERE id = ? AND holder = ? AND holds IS NOT NULL AND status = 'applying'`;
  return connection.run(sql, held.leaseUntil, held.done, held.failed, held.id, held.holder) === 1;
}

/** Entries from one number to another that ended alike. */
export interface EntryRange extends Pick<EntryEnd, 'outcome' | 'reason'> {
  readonly from: number;
  readonly to: number;
}

export function notePlanOutcomes(
  { connection }: WriteContext,
  { id, ends }: { readonly id: string; readonly ends: readonly EntryRange[] },
): void {
  const sql = 'UPDATE plan_entries SET outcome = ?, reason = ? WHERE plan_id = ? AND number BETWEEN ? AND ?';
  for (const { from, to, outcome, reason } of ends) connection.run(sql, outcome, reason, id, from, to);
}

export interface FinishPlanMessage {
  readonly id: string;
  readonly holder: string;
  readonly at: number;
  readonly status: 'done' | 'partial' | 'failed' | 'interrupted';
  readonly done: number;
  readonly failed: number;
  readonly message: string;
}

export function finishPlan({ connection }: WriteContext, end: FinishPlanMessage): boolean {
  const sql = `UPDATE plans SET status = ?, ended_at = ?, done = ?, failed = ?, message = ?, holder = NULL, holds = NULL,
    lease_until = 0 WHERE id = ? AND holder = ? AND status = 'applying'`;
  const status = end.status === 'interrupted' ? 'applying' : end.status;
  return connection.run(sql, status, end.at, end.done, end.failed, end.message, end.id, end.holder) === 1;
}

export function releasePlan({ connection }: WriteContext, id: string): boolean {
  const sql = "UPDATE plans SET holds = NULL, lease_until = 0 WHERE id = ? AND status = 'ready' AND holds IS NOT NULL";
  return connection.run(sql, id) === 1;
}

export function takeBackPlan({ connection }: WriteContext, { id, holder }: HeldPlan): boolean {
  const sql = 'UPDATE plans SET holds = NULL, lease_until = 0 WHERE id = ? AND holder = ? AND holds IS NOT NULL';
  return connection.run(sql, id, holder) === 1;
}

export interface DiscardPlanMessage {
  readonly id: string;
  readonly at: number;
  readonly now: number;
  readonly message: string;
}

export function discardPlan({ connection }: WriteContext, { id, at, now, message }: DiscardPlanMessage): boolean {
  const sql = `UPDATE plans SET status = 'discarded', ended_at = ?, message = ?, holder = NULL, holds = NULL, lease_until = 0
    WHERE id = ? AND status IN (SELECT value FROM json_each(?)) AND lease_until <= ?`;
  return connection.run(sql, at, message, id, JSON.stringify(DISCARDABLE), now) === 1;
}

export interface RemovePlanMessage {
  readonly id: string | null;
  readonly before: number | null;
  readonly now: number;
}

/** Marks plans as removed: from then on they are invisible. Answers how many. */
export function removePlan({ connection }: WriteContext, { id, before, now }: RemovePlanMessage): number {
  const sql = `UPDATE plans SET status = 'removed' WHERE (id = ? OR made_at < ?) AND lease_until <= ? AND status <> 'removed'`;
  return connection.run(sql, id, before, now);
}

/** Deletes some entries of removed plans, and plans that have none any more. True when there may be more. */
export function prunePlans({ connection }: WriteContext, _: null): boolean {
  const [id] = connection.getRaw<[string]>("SELECT id FROM plans WHERE status = 'removed' LIMIT 1") ?? [];
  if (id === undefined) return false;
  const sql = `DELETE FROM plan_entries WHERE plan_id = ?
    AND number <= (SELECT number FROM plan_entries WHERE plan_id = ? ORDER BY number LIMIT 1) + 1999`;
  if (connection.run(sql, id, id) === 0) connection.run('DELETE FROM plans WHERE id = ?', id);
  return true;
}
