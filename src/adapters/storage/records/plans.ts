import type { EntryFilter, PlanStore, RecordChange, RecordStore } from '../../../ports/index.ts';
import {
  DISCARDABLE,
  matchesEntry,
  newPlan,
  type StoredPlan,
  type StoredPlanEntry,
  storedEntry,
  storedPlanCounts,
  toEntry,
  toPlan,
} from '../shared/stored-plan.ts';
import { type Kept, numberKey, RecordKind, retried, timeKey, within } from './record-kind.ts';

const MADE = 0;
const ACCOUNT = 1;

const ACTION = 0;
const KIND = 1;
const OUTCOME = 2;

/** Records read at once. */
const PAGE = 500;

/** The plan that holds an account, as long as its lease lasts. */
interface StoredHold {
  readonly accountId: string;
  readonly planId: string;
}

/** A change of a plan's head; `undefined` where the plan is not in a state for it. */
type ChangeHead = (head: StoredPlan, now: number) => Partial<StoredPlan> | undefined;

export function recordedPlans(records: () => RecordStore): PlanStore {
  const plans = new RecordKind<StoredPlan>(records, {
    name: 'plans',
    key: ({ id }) => id,
    sorts: [
      ({ madeAt, id }) => `${timeKey(madeAt)}\u0000${id}`,
      ({ accountId, madeAt, id }) => `${accountId}\u0000${timeKey(madeAt)}\u0000${id}`,
    ],
  });
  const entries = new RecordKind<StoredPlanEntry>(records, {
    name: 'plan_entries',
    key: ({ planId, number }) => `${planId}\u0000${numberKey(number)}`,
    sorts: [
      ({ planId, action, number }) => `${planId}\u0000${action}\u0000${numberKey(number)}`,
      ({ planId, kind, number }) => `${planId}\u0000${kind}\u0000${numberKey(number)}`,
      ({ planId, outcome, number }) => `${planId}\u0000${outcome ?? 'open'}\u0000${numberKey(number)}`,
    ],
  });
  const holds = new RecordKind<StoredHold>(records, { name: 'plan_holds', key: ({ accountId }) => accountId });

  const isHeld = (head: StoredPlan, now: number): boolean => head.leaseUntil > now;

  async function write(changes: readonly RecordChange[]): Promise<{ readonly answer: true } | undefined> {
    return (await records().write(changes)) === null ? undefined : { answer: true };
  }

  /** Changes the head of a plan; false when it is unknown or not in a state for it. */
  function change(id: string, decide: ChangeHead, also: readonly RecordChange[] = []): Promise<boolean> {
    return retried(async () => {
      const { now, kept } = await plans.find(id);
      const changed = kept && decide(kept.item, now);
      if (kept === undefined || changed === undefined) return { answer: false };
      const head = { ...kept.item, ...changed };
      const freed = kept.item.holds !== null && head.holds === null ? await freeing(kept.item) : [];
      return write([plans.put(head, kept.version), ...freed, ...also]);
    });
  }

  /** The changes by which a plan lets go of its account. */
  async function freeing({ id, accountId }: StoredPlan): Promise<readonly RecordChange[]> {
    const { kept } = await holds.find(accountId);
    return kept?.item.planId === id ? [holds.drop(kept)] : [];
  }

  /** The changes by which a plan takes its account, from a plan whose lease is over too; `undefined` when another one holds it. */
  async function taking({
    id,
    accountId,
  }: Pick<StoredPlan, 'id' | 'accountId'>): Promise<readonly RecordChange[] | undefined> {
    const { kept } = await holds.find(accountId);
    const taken = holds.put({ accountId, planId: id }, kept?.version ?? null);
    if (kept === undefined || kept.item.planId === id) return [taken];
    const { now, kept: other } = await plans.find(kept.item.planId);
    if (other === undefined || other.item.holds !== accountId) return [taken];
    if (isHeld(other.item, now)) return undefined;
    return [taken, plans.put({ ...other.item, holds: null }, other.version)];
  }

  async function removed(head: Kept<StoredPlan>): Promise<boolean> {
    const changes = [plans.drop(head), entries.dropRange(within(head.key)), ...(await freeing(head.item))];
    return (await records().write(changes)) !== null;
  }

  return {
    begin: (plan) =>
      retried(async () => {
        const taken = plan.isExclusive ? await taking(plan) : [];
        if (taken === undefined) return { answer: false };
        const { now, kept } = await plans.find(plan.id);
        return write([plans.put(newPlan(plan, now + plan.leaseMs), kept?.version ?? null), ...taken]);
      }),

    append: ({ id, entries: given, leaseMs }) =>
      change(
        id,
        ({ status }, now) => (status === 'planning' ? { leaseUntil: now + leaseMs } : undefined),
        given.map((entry) => entries.put(storedEntry(id, entry))),
      ),

    settle: ({ id, counts, drift, ...end }) =>
      change(id, ({ status, holds: held, leaseUntil }) => {
        if (status !== 'planning') return undefined;
        const isHolding = end.status === 'ready' && held !== null;
        const lease = isHolding ? { leaseUntil } : { leaseUntil: 0, holds: null };
        return { ...end, counts: storedPlanCounts({ counts, drift }), ...lease };
      }),

    async find(id) {
      const { now, kept } = await plans.find(id);
      return kept && toPlan(kept.item, isHeld(kept.item, now));
    },

    async list({ limit, accounts, before }) {
      const wanted = Math.max(limit, 0);
      const end = before && `${timeKey(before.madeAt.getTime())}\u0000${before.id}`;
      const lists =
        accounts === null
          ? [plans.list({ by: MADE, ...(end && { before: end }), limit: wanted, descending: true })]
          : [...new Set(accounts)].map((account) =>
              plans.list({
                by: ACCOUNT,
                ...within(account),
                ...(end && { before: `${account}\u0000${end}` }),
                limit: wanted,
                descending: true,
              }),
            );
      const found = await Promise.all(lists);
      return found
        .flatMap(({ now, items }) => items.map(({ item }) => ({ item, now })))
        .sort((a, b) => b.item.madeAt - a.item.madeAt || (a.item.id < b.item.id ? 1 : -1))
        .slice(0, wanted)
        .map(({ item, now }) => toPlan(item, isHeld(item, now)));
    },

    async entries({ id, filter, after, limit }) {
      const found: StoredPlanEntry[] = [];
      const { by, from, end } = rangeOf(id, filter);
      let last = after;
      const size = filter.text === undefined && countOf(filter) < 2 ? Math.max(limit, 0) : PAGE;
      while (found.length < limit) {
        const start = `${from}${numberKey(Math.max(0, last + 1))}`;
        const { items } = await entries.list({
          ...(by !== undefined && { by }),
          from: start,
          before: end,
          limit: size,
        });
        found.push(...items.map(({ item }) => item).filter((entry) => matchesEntry(filter, entry)));
        const behind = items.at(-1);
        if (behind === undefined || items.length < size) break;
        last = behind.item.number;
      }
      return found.slice(0, Math.max(limit, 0)).map(toEntry);
    },

    approve: ({ id, by, at }) =>
      change(id, ({ status, needsApproval, approvedBy }) =>
        status === 'ready' && needsApproval && approvedBy === null
          ? { approvedBy: by, approvedAt: at.getTime() }
          : undefined,
      ),

    claim: ({ id, holder, by, at, leaseMs }) =>
      retried(async () => {
        const { now, kept } = await plans.find(id);
        if (kept === undefined) return { answer: false };
        const { status, needsApproval, approvedBy, accountId } = kept.item;
        const isFree = status === 'ready' || (status === 'applying' && !isHeld(kept.item, now));
        const taken = isFree && (!needsApproval || approvedBy !== null) ? await taking(kept.item) : undefined;
        if (taken === undefined) return { answer: false };
        const claimed = {
          ...kept.item,
          status: 'applying' as const,
          holder,
          holds: accountId,
          appliedBy: by,
          appliedAt: at.getTime(),
          leaseUntil: now + leaseMs,
        };
        return write([plans.put(claimed, kept.version), ...taken]);
      }),

    keep: ({ id, holder, leaseMs, done, failed }) =>
      change(id, (head, now) =>
        head.status === 'applying' && head.holder === holder && head.holds !== null
          ? { leaseUntil: now + leaseMs, done, failed }
          : undefined,
      ),

    async noteOutcomes({ id, outcomes }) {
      const byKey = new Map(outcomes.map((outcome) => [`${id}\u0000${numberKey(outcome.number)}`, outcome]));
      await retried(async () => {
        const known = await entries.findEach([...byKey.keys()]);
        const changes = [...known].flatMap(([key, { item, version }]) => {
          const noted = byKey.get(key);
          return noted === undefined
            ? []
            : [entries.put({ ...item, outcome: noted.outcome, reason: noted.reason }, version)];
        });
        return changes.length === 0 ? { answer: true } : write(changes);
      });
    },

    finish: ({ id, holder, at, status, ...end }) =>
      change(id, (head) => {
        if (head.status !== 'applying' || head.holder !== holder) return undefined;
        return {
          ...end,
          status: status === 'interrupted' ? 'applying' : status,
          holder: null,
          holds: null,
          leaseUntil: 0,
          endedAt: at.getTime(),
        };
      }),

    async holding(accountId) {
      const hold = (await holds.find(accountId)).kept;
      if (hold === undefined) return undefined;
      const { now, kept } = await plans.find(hold.item.planId);
      if (kept === undefined || kept.item.holds !== accountId || !isHeld(kept.item, now)) return undefined;
      const { id, holder } = kept.item;
      return holder === null ? undefined : { id, holder };
    },

    takeBack: ({ id, holder }) =>
      change(id, (head) =>
        head.holder === holder && head.holds !== null ? { holds: null, leaseUntil: 0 } : undefined,
      ),

    release: (id) =>
      change(id, ({ status, holds: held }) =>
        status === 'ready' && held !== null ? { holds: null, leaseUntil: 0 } : undefined,
      ),

    discard: ({ id, at, message }) =>
      change(id, (head, now) => {
        if (!DISCARDABLE.includes(head.status) || isHeld(head, now)) return undefined;
        return { status: 'discarded', endedAt: at.getTime(), message, holder: null, holds: null, leaseUntil: 0 };
      }),

    remove: (id) =>
      retried(async () => {
        const { now, kept } = await plans.find(id);
        if (kept === undefined || isHeld(kept.item, now)) return { answer: false };
        return (await removed(kept)) ? { answer: true } : undefined;
      }),

    async prune(before) {
      const now = await plans.now();
      let count = 0;
      for await (const page of plans.pages({ by: MADE, before: timeKey(before.getTime()), limit: PAGE }))
        for (const head of page) if (!isHeld(head.item, now) && (await removed(head))) count++;
      return count;
    },
  };
}

/** Counts the filters that are set, without the text. */
function countOf({ action, kind, outcome }: EntryFilter): number {
  return [action, kind, outcome].filter((each) => each !== undefined).length;
}

/** The entries of a plan, as few of them as one sort key can tell apart. */
function rangeOf(id: string, { action, kind, outcome }: EntryFilter) {
  const of = (by: number | undefined, ...parts: readonly string[]) => {
    const { from, before } = within(...parts);
    return { by, from, end: before };
  };
  if (action !== undefined) return of(ACTION, id, action);
  if (outcome !== undefined) return of(OUTCOME, id, outcome);
  return kind === undefined ? of(undefined, id) : of(KIND, id, kind);
}
