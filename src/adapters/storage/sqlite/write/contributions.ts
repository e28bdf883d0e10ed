import { contributionDecision, isWithdrawn } from '../../../../app/hosts/decisions/contribution.ts';
import { type HostLayer, ownerLayer } from '../../../../app/hosts/decisions/label-layers.ts';
import type { ContributionOutcome } from '../../../../ports/index.ts';
import type { ChangeBy, WriteContext } from './context.ts';
import { FROM_HOSTS, findHost, stateOf, WRITTEN_COLUMNS, type WrittenHost } from './host-row.ts';
import { contributorOutgrows, ownerOutgrows } from './host-size.ts';
import { ownLabels, putLayer, setOwnLabels, showLabels, visibleLabels } from './layers.ts';

export interface ContributionMessage extends ChangeBy {
  readonly accountId: string;
  readonly precedence: number;
  readonly hostnames: readonly string[];
  readonly labels: readonly string[];
  readonly runId: string;
  readonly maxBytes: number;
}

type Given = Pick<HostLayer, 'precedence' | 'labels' | 'at' | 'runId'>;

const GIVEN = 'SELECT precedence, labels, at, run_id AS runId FROM contributions WHERE host_id = ? AND account_id = ?';

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
  if (host === undefined) return 'not_found';
  const { accountId, runId, maxBytes } = message;
  const { outcome, gives } = contributionDecision(stateOf(host), message, labels, {
    given: () => connection.get<Given>(GIVEN, host.id, accountId),
    own: () => ownLabels(connection, host),
    tooLarge: (as) =>
      as === 'owner'
        ? ownerOutgrows(connection, host.id, labels, maxBytes)
        : contributorOutgrows(connection, host.id, accountId, labels, maxBytes),
  });
  if (gives === undefined) return outcome;
  if (gives.as === 'owner') {
    connection.run('UPDATE host_marks SET run_id = ? WHERE id = ?', runId, host.id);
    if (outcome === 'updated') {
      const shows = setOwnLabels(context, host, host.accountId, labels, message);
      if (shows) touch(context, host, message);
    }
  } else if (outcome === 'unchanged') {
    const sql = 'UPDATE contributions SET run_id = ?, at = ? WHERE host_id = ? AND account_id = ?';
    connection.run(sql, runId, gives.at, host.id, accountId);
  } else {
    if (host.contributed === 0) keepOwn(context, host);
    const layer = { accountId, precedence: message.precedence, owner: false, labels, at: gives.at, runId };
    putLayer(connection, host.id, layer);
    if (showLabels(context, { ...host, contributed: 1 }, '{}', message)) touch(context, host, message);
  }
  return outcome;
}

/** The owner's labels move aside before the first contribution covers them. */
function keepOwn({ connection }: WriteContext, host: WrittenHost): void {
  const labels = visibleLabels(connection, host.id);
  putLayer(connection, host.id, ownerLayer(host.accountId, labels, host.lastUpdate ?? host.createdAt));
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
  const found = connection.all<WrittenHost & { isOwner: number; givenAt: number; givenBy: string | null }>(
    `SELECT ${WRITTEN_COLUMNS}, c.is_owner AS isOwner, c.at AS givenAt, c.run_id AS givenBy
     ${FROM_HOSTS} JOIN contributions c ON c.host_id = h.id
     WHERE c.account_id = ? AND (? IS NULL OR (c.run_id IS NOT ? AND h.archived_at IS NULL)) AND (? IS NULL OR c.at < ?)
     AND h.hostname NOT IN (SELECT value FROM json_each(?))`,
    message.accountId,
    message.runId,
    message.runId,
    message.seenBefore,
    message.seenBefore,
    JSON.stringify(message.except),
  );
  const losers = found.filter((row) =>
    isWithdrawn(stateOf(row), { owner: row.isOwner === 1, at: row.givenAt, runId: row.givenBy }, message),
  );
  for (const host of losers) {
    const own = ownLabels(connection, host);
    connection.run('DELETE FROM contributions WHERE host_id = ? AND account_id = ?', host.id, message.accountId);
    if (showLabels(context, host, own, message)) touch(context, host, message);
  }
  return losers.length;
}
