import { sameJson } from '../../../../app/kernel/json/json-text.ts';
import type { ContributionOutcome } from '../../../../ports/index.ts';
import type { ChangeBy, WriteContext } from './context.ts';
import { findHost, WRITTEN_HOST, type WrittenHost } from './host-row.ts';
import { contributorOutgrows, ownerOutgrows } from './host-size.ts';
import { ownLabels, setOwnLabels, showLabels, visibleLabels } from './layers.ts';

export interface ContributionMessage extends ChangeBy {
  readonly accountId: string;
  readonly precedence: number;
  readonly hostnames: readonly string[];
  readonly labels: readonly string[];
  readonly runId: string;
  readonly maxBytes: number;
}

export function contributeLabels(context: WriteContext, message: ContributionMessage): ContributionOutcome[] {
  return message.hostnames.map((hostname, index) =>
    contributeOne(context, message, hostname, message.labels[index] ?? '{}'),
  );
}

function contributeOne(
  context: WriteContext,
  message: ContributionMessage,
  hostname: string,
  labels: string,
): ContributionOutcome {
  const { connection } = context;
  const host = findHost(connection, hostname);
  if (host === undefined || host.archivedAt !== null) return 'not_found';
  if (host.accountId === message.accountId) return replaceOwn(context, message, host, labels);
  const present = connection.get<{ precedence: number; labels: string; runId: string | null }>(
    'SELECT precedence, labels, run_id AS runId FROM contributions WHERE host_id = ? AND account_id = ?',
    host.id,
    message.accountId,
  );
  if (present?.runId === message.runId) return 'duplicate';
  if (present?.precedence === message.precedence && sameJson(present.labels, labels)) {
    connection.run(
      'UPDATE contributions SET run_id = ?, at = max(at, ?) WHERE host_id = ? AND account_id = ?',
      message.runId,
      message.at.getTime(),
      host.id,
      message.accountId,
    );
    return 'unchanged';
  }
  if (contributorOutgrows(connection, host.id, message.accountId, labels, message.maxBytes)) return 'too_large';
  if (host.contributed === 0) keepOwn(context, host);
  connection.run(
    `INSERT INTO contributions (host_id, account_id, precedence, is_owner, labels, at, run_id)
     VALUES (?, ?, ?, 0, ?, ?, ?) ON CONFLICT (host_id, account_id) DO UPDATE SET precedence = excluded.precedence,
     labels = excluded.labels, at = max(at, excluded.at), run_id = excluded.run_id`,
    host.id,
    message.accountId,
    message.precedence,
    labels,
    message.at.getTime(),
    message.runId,
  );
  if (showLabels(context, { ...host, contributed: 1 }, '{}', message)) touch(context, host, message);
  return 'updated';
}

/** An account that owns the host gives its own labels anew. */
function replaceOwn(
  context: WriteContext,
  message: ContributionMessage,
  host: WrittenHost,
  labels: string,
): ContributionOutcome {
  const { connection } = context;
  if (host.runId === message.runId) return 'duplicate';
  if (ownerOutgrows(connection, host.id, labels, message.maxBytes)) return 'too_large';
  connection.run('UPDATE host_marks SET run_id = ? WHERE id = ?', message.runId, host.id);
  if (sameJson(ownLabels(connection, host), labels)) return 'unchanged';
  if (setOwnLabels(context, host, host.accountId, labels, message)) touch(context, host, message);
  return 'updated';
}

/** The owner's labels move aside before the first contribution covers them. */
function keepOwn({ connection }: WriteContext, host: WrittenHost): void {
  connection.run(
    `INSERT INTO contributions (host_id, account_id, precedence, is_owner, labels, at, run_id)
     VALUES (?, ?, 0, 1, ?, ?, NULL)`,
    host.id,
    host.accountId ?? '',
    visibleLabels(connection, host.id),
    host.lastUpdate ?? host.createdAt,
  );
  connection.run('UPDATE hosts SET contributed = 1 WHERE id = ?', host.id);
}

function touch({ connection, changes }: WriteContext, host: WrittenHost, by: ChangeBy): void {
  connection.run('UPDATE hosts SET last_update = ? WHERE id = ?', by.at.getTime(), host.id);
  if (host.archivedAt === null) changes.revision('hosts');
}

export interface WithdrawMessage extends ChangeBy {
  readonly accountId: string;
  readonly runId: string | null;
  readonly seenBefore: number | null;
  readonly except: readonly string[];
}

export function withdrawContributions(context: WriteContext, message: WithdrawMessage): number {
  const { connection } = context;
  const losers = connection.all<WrittenHost>(
    `${WRITTEN_HOST} JOIN contributions c ON c.host_id = h.id
     WHERE c.account_id = ? AND c.is_owner = 0 AND (? IS NULL OR (c.run_id IS NOT ? AND h.archived_at IS NULL))
     AND (? IS NULL OR c.at < ?)
     AND h.hostname NOT IN (SELECT value FROM json_each(?))`,
    message.accountId,
    message.runId,
    message.runId,
    message.seenBefore,
    message.seenBefore,
    JSON.stringify(message.except),
  );
  for (const host of losers) {
    const own = ownLabels(connection, host);
    connection.run('DELETE FROM contributions WHERE host_id = ? AND account_id = ?', host.id, message.accountId);
    if (showLabels(context, host, own, message)) touch(context, host, message);
  }
  return losers.length;
}
