import { archiveStale, archiveUnseen } from '../../../../app/hosts/decisions/archive.ts';
import { withdrawContributions } from '../../../../app/hosts/decisions/contribution.ts';
import type { NamedChange } from '../../../../app/hosts/decisions/named-change.ts';
import { sweepDecision } from '../../../../app/hosts/decisions/sweep.ts';
import type { SweepResult } from '../../../../ports/index.ts';
import { named } from '../../shared/host-writes.ts';
import type { SqlValue } from '../connection.ts';
import { changeHosts } from './change-hosts.ts';
import type { ChangeBy, WriteContext } from './context.ts';

/** Changes of hosts that a query finds, in the same transaction. */

export interface WithdrawMessage extends ChangeBy {
  readonly accountId: string;
  readonly runId: string | null;
  readonly seenBefore: number | null;
  readonly except: readonly string[];
}

export function withdraw(context: WriteContext, { except, ...message }: WithdrawMessage): number {
  const names = find(
    context,
    `SELECT h.hostname FROM contributions c JOIN hosts h ON h.id = c.host_id
     WHERE c.account_id = ? AND (? IS NULL OR (c.run_id IS NOT ? AND h.archived_at IS NULL)) AND (? IS NULL OR c.at < ?)
     AND h.hostname NOT IN (SELECT value FROM json_each(?))`,
    message.accountId,
    message.runId,
    message.runId,
    message.seenBefore,
    message.seenBefore,
    JSON.stringify(except),
  );
  return changeFound(context, withdrawContributions, message, names).filter(Boolean).length;
}

export interface SweepMessage extends ChangeBy {
  readonly accountId: string;
  readonly runId: string;
  readonly seenBefore: number;
  readonly except: readonly string[];
  readonly thresholdPercent: number;
  readonly activeBefore: number;
  readonly objectType: string | null;
  readonly preview: boolean;
}

export function sweepUnseen(context: WriteContext, message: SweepMessage): SweepResult {
  const candidates = find(
    context,
    `SELECT h.hostname FROM hosts h CROSS JOIN host_marks m ON m.id = h.id
     WHERE h.account_id = ? AND h.archived_at IS NULL AND m.run_id IS NOT ?
     AND (m.last_seen IS NULL OR m.last_seen < ?) AND h.hostname NOT IN (SELECT value FROM json_each(?))
     AND (? IS NULL OR h.object_type = ?) ORDER BY h.hostname`,
    message.accountId,
    message.runId,
    message.seenBefore,
    JSON.stringify(message.except),
    message.objectType,
    message.objectType,
  );
  const result = sweepDecision({ ...message, candidates });
  if (result.archived > 0) changeFound(context, archiveUnseen, message, candidates);
  return result;
}

export interface StaleMessage extends ChangeBy {
  readonly seenBefore: number;
  readonly accountId: string | null;
}

export function sweepStale(context: WriteContext, message: StaleMessage): string[] {
  const names = find(
    context,
    `SELECT h.hostname FROM hosts h CROSS JOIN host_marks m ON m.id = h.id
     WHERE h.archived_at IS NULL AND h.is_object = 0 AND coalesce(m.last_seen, h.created_at) < ?
     AND (? IS NULL OR h.account_id = ?) ORDER BY h.hostname`,
    message.seenBefore,
    message.accountId,
    message.accountId,
  );
  const archived = changeFound(context, archiveStale, message, names);
  return names.filter((_, index) => archived[index]);
}

function find({ connection }: WriteContext, sql: string, ...values: SqlValue[]): string[] {
  return connection.allRaw<[string]>(sql, ...values).map(([hostname]) => hostname);
}

function changeFound<Message>(
  context: WriteContext,
  change: NamedChange<Message, null, boolean>,
  message: Message,
  hostnames: readonly string[],
): readonly boolean[] {
  // None of these lets a host grow.
  return changeHosts(context, change, { message, ...named(hostnames) }, Number.POSITIVE_INFINITY);
}
