import type { AuditChainStep, AuditLink } from '../../../../ports/index.ts';
import type { AuditRow } from '../rows.ts';
import type { WriteContext } from './context.ts';

/** The audit log: written, pruned, never changed. */

export interface AppendAuditMessage {
  readonly rows: readonly AuditRow[];
  readonly step: AuditChainStep | null;
}

/** The state of the chain when it is not the expected one; `null` when everything was kept. */
export function appendAudit(
  context: WriteContext,
  { rows, step }: AppendAuditMessage,
): { readonly chain: string | null } | null {
  const moved = step === null ? null : moveChain(context, step);
  if (moved !== null) return moved;
  for (const row of rows) putAuditRow(context, isTaken(context, row) ? { ...row, seq: null, mark: null } : row);
  return null;
}

function isTaken({ connection }: WriteContext, { seq }: AuditRow): boolean {
  return seq !== null && connection.getRaw('SELECT 1 FROM audit_entries WHERE seq = ?', seq) !== undefined;
}

function putAuditRow({ connection }: WriteContext, row: AuditRow): void {
  connection.run(
    `INSERT INTO audit_entries (id, at, actor, entrance, address, operation, subject, outcome, request_id, details, seq,
     mark) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.at,
    row.actor,
    row.entrance,
    row.address,
    row.operation,
    row.subject,
    row.outcome,
    row.requestId,
    row.details,
    row.seq,
    row.mark,
  );
}

export function pruneUnlinkedAudit({ connection }: WriteContext, before: number): number {
  return connection.run('DELETE FROM audit_entries WHERE seq IS NULL AND at < ?', before);
}

export interface PruneAuditMessage {
  readonly through: number;
  readonly step: AuditChainStep;
}

/** `null` if the chain is not at the expected state. */
export function pruneLinkedAudit(context: WriteContext, { through, step }: PruneAuditMessage): number | null {
  if (moveChain(context, step) !== null) return null;
  return context.connection.run('DELETE FROM audit_entries WHERE seq <= ?', through);
}

export interface NoteForwardedMessage {
  readonly target: string;
  readonly from: AuditLink | null;
  readonly to: AuditLink;
}

/** Whether what was noted is still what the step begins at. */
export function noteForwardedAudit({ connection }: WriteContext, { target, from, to }: NoteForwardedMessage): boolean {
  const changed =
    from === null
      ? connection.run(
          'INSERT OR IGNORE INTO audit_forwarded (target, seq, mark) VALUES (?, ?, ?)',
          target,
          to.seq,
          to.mark,
        )
      : connection.run(
          'UPDATE audit_forwarded SET seq = ?, mark = ? WHERE target = ? AND seq = ? AND mark = ?',
          to.seq,
          to.mark,
          target,
          from.seq,
          from.mark,
        );
  return changed === 1;
}

/** The state of the chain when it is another one than the step begins at; `null` when it was moved. */
function moveChain(
  { connection }: WriteContext,
  { from, to }: AuditChainStep,
): { readonly chain: string | null } | null {
  const found = connection.getRaw<[string]>('SELECT state FROM audit_chain WHERE id = 1')?.[0] ?? null;
  if (found !== from) return { chain: found };
  connection.run('INSERT OR REPLACE INTO audit_chain (id, state) VALUES (1, ?)', to);
  return null;
}
