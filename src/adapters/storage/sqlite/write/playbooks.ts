import type { PlaybookMatch, PlaybookRunEnd, PlaybookRunStart } from '../../../../ports/index.ts';
import type { TransferItem } from '../../shared/transfer-table.ts';
import type { WriteContext } from './context.ts';

/** Runs of playbooks and what has fired. Times are milliseconds; `now` is the clock of the storage that called. */

export interface BeginMessage extends Omit<PlaybookRunStart, 'startedAt' | 'leaseMs'> {
  readonly startedAt: number;
  readonly leaseUntil: number;
}

export function beginPlaybookRun({ connection }: WriteContext, run: BeginMessage): void {
  connection.run(
    `INSERT INTO playbook_runs (id, playbook, provider, hostname, check_mode, source, started_by, started_at, status,
     lease_until, choices) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?)`,
    run.id,
    run.playbook,
    run.provider,
    run.hostname,
    run.checkMode ? 1 : 0,
    run.source,
    run.startedBy,
    run.startedAt,
    run.leaseUntil,
    run.choices === undefined ? null : JSON.stringify(run.choices),
  );
}

export interface KeepRunMessage {
  readonly id: string;
  readonly leaseUntil: number;
  readonly output: string | null;
}

export function keepPlaybookRun(
  { connection }: WriteContext,
  { id, leaseUntil, output }: KeepRunMessage,
): 'kept' | 'cancel' | 'ended' {
  const run = connection.getRaw<[number]>(
    `UPDATE playbook_runs SET lease_until = ?, output = ifnull(?, output) WHERE id = ? AND status = 'running'
     RETURNING cancel_requested`,
    leaseUntil,
    output,
    id,
  );
  if (run === undefined) return 'ended';
  return run[0] === 1 ? 'cancel' : 'kept';
}

export interface EndMessage extends Omit<PlaybookRunEnd, 'at'> {
  readonly at: number;
}

export function endPlaybookRun({ connection }: WriteContext, end: EndMessage): boolean {
  const changed = connection.run(
    `UPDATE playbook_runs SET ended_at = ?, status = ?, exit_code = ?, message = ?, output = ?
     WHERE id = ? AND status = 'running'`,
    end.at,
    end.status,
    end.exitCode,
    end.message,
    end.output,
    end.id,
  );
  return changed === 1;
}

export interface CancelMessage {
  readonly id: string;
  readonly now: number;
}

export function requestPlaybookCancel(
  { connection }: WriteContext,
  { id, now }: CancelMessage,
): 'requested' | 'not_running' | 'not_found' {
  const sql = `UPDATE playbook_runs SET cancel_requested = 1 WHERE id = ? AND status = 'running' AND lease_until > ?`;
  if (connection.run(sql, id, now) === 1) return 'requested';
  return connection.getRaw('SELECT 1 FROM playbook_runs WHERE id = ?', id) === undefined ? 'not_found' : 'not_running';
}

export interface PruneRunsMessage {
  readonly before: number;
  readonly now: number;
}

export function prunePlaybookRuns({ connection }: WriteContext, { before, now }: PruneRunsMessage): number {
  return connection.run(
    `DELETE FROM playbook_runs WHERE started_at < ? AND NOT (status = 'running' AND lease_until > ?)`,
    before,
    now,
  );
}

export function rememberPlaybookMatch({ connection }: WriteContext, match: TransferItem<'playbook_matches'>): boolean {
  return (
    connection.run(
      'INSERT INTO playbook_matches (hostname, rule_id, playbook, since) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      match.hostname,
      match.ruleId,
      match.playbook,
      match.since,
    ) === 1
  );
}

export function forgetPlaybookMatches({ connection }: WriteContext, matches: readonly PlaybookMatch[]): number {
  let count = 0;
  for (const { hostname, ruleId, playbook } of matches) {
    count += connection.run(
      'DELETE FROM playbook_matches WHERE hostname = ? AND rule_id = ? AND playbook = ?',
      hostname,
      ruleId,
      playbook,
    );
  }
  return count;
}
