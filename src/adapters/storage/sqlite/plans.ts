import { setImmediate as turn } from 'node:timers/promises';
import type { Clock, EntryEnd, EntryFilter, HeldPlan, PlanStore } from '../../../ports/index.ts';
import {
  newPlan,
  type StoredPlan,
  type StoredPlanEntry,
  storedEntry,
  storedPlanCounts,
  toEntry,
  toPlan,
} from '../shared/stored-plan.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { Connection, SqlValue } from './connection.ts';
import type { EntryRange } from './write/plans.ts';
import type { WriterClient } from './writer-client.ts';

const HEAD_COLUMNS = `id, account_id AS accountId, account, made_by AS madeBy, made_at AS madeAt,
  hosts_revision AS hostsRevision, rules_revision AS rulesRevision, status, lease_until AS leaseUntil, holder, holds, counts,
  done, failed, needs_approval AS needsApproval, approved_by AS approvedBy, approved_at AS approvedAt,
  applied_by AS appliedBy, applied_at AS appliedAt, ended_at AS endedAt, message`;

const ENTRY_COLUMNS =
  'plan_id AS planId, number, action, kind, key, previous_key AS previousKey, hostname, outcome, reason, body';

type HeadRow = Omit<StoredPlan, 'needsApproval'> & { readonly needsApproval: number };

/** Every decision is one statement of the writer thread, so other threads and processes on the file see it whole. */
export function sqlitePlans(read: () => Connection, writer: () => WriterClient, clock: Clock): PlanStore {
  const now = () => clock.now().getTime();
  const planOf = (row: HeadRow) => toPlan({ ...row, needsApproval: row.needsApproval === 1 }, row.leaseUntil > now());
  return {
    async begin(plan) {
      const moment = now();
      return writer().call('beginPlan', { plan: newPlan(plan, moment + plan.leaseMs), now: moment });
    },

    async append({ id, entries, leaseMs }) {
      const stored = entries.map((entry) => storedEntry(id, entry));
      const size = stored.reduce((sum, { body }) => sum + body.length, 0);
      const message = { id, rows: stored.map(entryRow), leaseUntil: now() + leaseMs };
      return writer().call('appendPlanEntries', message, Math.max(stored.length, 1), size);
    },

    settle: async ({ counts, drift, message, ...end }) =>
      writer().call('settlePlan', {
        ...end,
        counts: storedPlanCounts({ counts, drift }),
        message: wellFormed(message),
      }),

    async find(id) {
      const row = read().get<HeadRow>(`SELECT ${HEAD_COLUMNS} FROM plans WHERE id = ? AND status <> 'removed'`, id);
      return row === undefined ? undefined : planOf(row);
    },

    async list({ limit, accounts, before }) {
      const conditions = ["status <> 'removed'"];
      const values: SqlValue[] = [];
      if (accounts !== null) {
        conditions.push('account_id IN (SELECT value FROM json_each(?))');
        values.push(JSON.stringify(accounts));
      }
      if (before !== undefined) {
        conditions.push('(made_at, id) < (?, ?)');
        values.push(before.madeAt.getTime(), before.id);
      }
      const sql = `SELECT ${HEAD_COLUMNS} FROM plans WHERE ${conditions.join(' AND ')} ORDER BY made_at DESC, id DESC LIMIT ?`;
      return read()
        .all<HeadRow>(sql, ...values, Math.max(limit, 0))
        .map(planOf);
    },

    async entries({ id, filter, after, limit }) {
      const { conditions, values } = entryConditions(filter);
      const sql = `SELECT ${ENTRY_COLUMNS} FROM plan_entries WHERE plan_id = ? AND number > ? AND number <= ? ${conditions}
        AND EXISTS (SELECT 1 FROM plans WHERE id = plan_id AND status <> 'removed') ORDER BY number LIMIT ?`;
      const rows: StoredPlanEntry[] = [];
      const last = lastNumber(read(), id);
      for (let from = after; from < last && rows.length < limit; from += LOOKED_AT_ONCE) {
        if (from > after) await turn();
        rows.push(...read().all<StoredPlanEntry>(sql, id, from, from + LOOKED_AT_ONCE, ...values, limit - rows.length));
      }
      return rows.map(toEntry);
    },

    approve: async ({ id, by, at }) => writer().call('approvePlan', { id, by: wellFormed(by), at: at.getTime() }),

    async claim({ at, by, leaseMs, ...claim }) {
      const moment = now();
      const times = { at: at.getTime(), now: moment, leaseUntil: moment + leaseMs };
      return writer().call('claimPlan', { ...claim, by: wellFormed(by), ...times });
    },

    keep: async ({ leaseMs, ...held }) => writer().call('keepPlan', { ...held, leaseUntil: now() + leaseMs }),

    async noteOutcomes({ id, outcomes }) {
      await writer().call('notePlanOutcomes', { id, ends: inRanges(outcomes) }, Math.max(outcomes.length, 1));
    },

    finish: async ({ at, message, ...end }) =>
      writer().call('finishPlan', { ...end, at: at.getTime(), message: wellFormed(message) }),

    async holding(accountId) {
      const sql = 'SELECT id, holder FROM plans WHERE holds = ? AND holder IS NOT NULL AND lease_until > ?';
      return read().get<HeldPlan>(sql, accountId, now());
    },

    takeBack: async (held) => writer().call('takeBackPlan', held),
    release: async (id) => writer().call('releasePlan', id),

    discard: async ({ id, at, message }) =>
      writer().call('discardPlan', { id, at: at.getTime(), now: now(), message: wellFormed(message) }),

    remove: async (id) => (await remove(writer(), { id, now: now() })) > 0,
    prune: async (before) => remove(writer(), { before: before.getTime(), now: now() }),
  };
}

/** Entry numbers that a filter walks over at once; some ms, before other work gets its turn. */
const LOOKED_AT_ONCE = 10_000;

function lastNumber(connection: Connection, planId: string): number {
  const sql = 'SELECT max(number) AS last FROM plan_entries WHERE plan_id = ?';
  return connection.get<{ readonly last: number | null }>(sql, planId)?.last ?? 0;
}

/** As a list, which is handed to the other thread in a third of the time. */
function entryRow({
  planId,
  number,
  action,
  kind,
  key,
  previousKey,
  hostname,
  outcome,
  reason,
  body,
}: StoredPlanEntry) {
  return [planId, number, action, kind, key, previousKey, hostname, outcome, reason, body];
}

/** Entries that follow each other mostly end alike. */
function inRanges(outcomes: readonly EntryEnd[]): readonly EntryRange[] {
  const ranges: EntryRange[] = [];
  for (const { number, outcome, reason: given } of outcomes) {
    const reason = wellFormed(given);
    const last = ranges.at(-1);
    const isAlike = last?.to === number - 1 && last.outcome === outcome && last.reason === reason;
    const from = isAlike ? (ranges.pop()?.from ?? number) : number;
    ranges.push({ from, to: number, outcome, reason });
  }
  return ranges;
}

/** Entries go in parts, so that others can write in between. */
async function remove(
  writer: WriterClient,
  which: { readonly now: number; readonly id?: string; readonly before?: number },
): Promise<number> {
  const count = await writer.call('removePlan', { id: null, before: null, ...which });
  while (await writer.call('prunePlans', null, REMOVED_AT_ONCE));
  return count;
}

/** Weight of a removal job: the largest number of entries it deletes. */
const REMOVED_AT_ONCE = 2_000;

function entryConditions({ action, kind, text, outcome }: EntryFilter): { conditions: string; values: SqlValue[] } {
  const parts: [string, ...SqlValue[]][] = [];
  if (action !== undefined) parts.push(['action = ?', action]);
  if (kind !== undefined) parts.push(['kind = ?', kind]);
  if (outcome === 'open') parts.push(['outcome IS NULL']);
  else if (outcome !== undefined) parts.push(['outcome = ?', outcome]);
  if (text !== undefined) {
    const found = '(instr(key, ?) > 0 OR instr(previous_key, ?) > 0 OR instr(hostname, ?) > 0)';
    parts.push([found, text, text, text]);
  }
  return {
    conditions: parts.map(([sql]) => `AND ${sql}`).join(' '),
    values: parts.flatMap(([, ...values]) => values),
  };
}
