import type { Clock, PlanStore } from '../../../ports/index.ts';
import {
  DISCARDABLE,
  matchesEntry,
  newPlan,
  type StoredPlan,
  storedEntry,
  storedPlanCounts,
  toEntry,
  toPlan,
} from '../shared/stored-plan.ts';
import type { MemoryState } from './state.ts';

export function memoryPlans(state: () => MemoryState, clock: Clock): PlanStore {
  const now = () => clock.now().getTime();
  const headOf = (id: string): StoredPlan | undefined => state().plans.get(id)?.head;
  const isHeld = (head: StoredPlan): boolean => head.leaseUntil > now();

  function change(
    id: string,
    may: (head: StoredPlan) => boolean,
    changed: (head: StoredPlan) => Partial<StoredPlan>,
  ): boolean {
    const plan = state().plans.get(id);
    if (plan === undefined || !may(plan.head)) return false;
    state().plans.set(id, { ...plan, head: { ...plan.head, ...changed(plan.head) } });
    return true;
  }

  /** Takes the account away from plans whose lease is over. False when another one holds it. */
  function takeAccount({ id, accountId }: Pick<StoredPlan, 'id' | 'accountId'>): boolean {
    for (const { head } of [...state().plans.values()]) {
      if (head.id === id || head.holds !== accountId) continue;
      if (isHeld(head)) return false;
      change(
        head.id,
        () => true,
        () => ({ holds: null }),
      );
    }
    return true;
  }

  return {
    async begin(plan) {
      if (plan.isExclusive && !takeAccount(plan)) return false;
      state().plans.set(plan.id, { head: newPlan(plan, now() + plan.leaseMs), entries: [] });
      return true;
    },

    async append({ id, entries, leaseMs }) {
      const isMaking = change(
        id,
        ({ status }) => status === 'planning',
        () => ({ leaseUntil: now() + leaseMs }),
      );
      if (isMaking)
        state()
          .plans.get(id)
          ?.entries.push(...entries.map((entry) => storedEntry(id, entry)));
      return isMaking;
    },

    settle: async ({ id, counts, drift, ...end }) =>
      change(
        id,
        ({ status }) => status === 'planning',
        ({ holds, leaseUntil }) => {
          const isHolding = end.status === 'ready' && holds !== null;
          const held = isHolding ? { leaseUntil } : { leaseUntil: 0, holds: null };
          return { ...end, counts: storedPlanCounts({ counts, drift }), ...held };
        },
      ),

    async find(id) {
      const head = headOf(id);
      return head === undefined ? undefined : toPlan(head, isHeld(head));
    },

    async list({ limit, accounts, before }) {
      return [...state().plans.values()]
        .map(({ head }) => head)
        .filter(({ accountId }) => accounts === null || accounts.includes(accountId))
        .filter((head) => before === undefined || isNewer({ ...before, madeAt: before.madeAt.getTime() }, head))
        .sort((left, right) => (isNewer(left, right) ? -1 : 1))
        .slice(0, Math.max(limit, 0))
        .map((head) => toPlan(head, isHeld(head)));
    },

    async entries({ id, filter, after, limit }) {
      const found = (state().plans.get(id)?.entries ?? []).filter(
        (entry) => entry.number > after && matchesEntry(filter, entry),
      );
      return found.slice(0, Math.max(limit, 0)).map(toEntry);
    },

    approve: async ({ id, by, at }) =>
      change(
        id,
        ({ status, needsApproval, approvedBy }) => status === 'ready' && needsApproval && approvedBy === null,
        () => ({ approvedBy: by, approvedAt: at.getTime() }),
      ),

    claim: async ({ id, holder, by, at, leaseMs }) =>
      change(
        id,
        (head) =>
          (head.status === 'ready' || (head.status === 'applying' && !isHeld(head))) &&
          (!head.needsApproval || head.approvedBy !== null) &&
          takeAccount(head),
        ({ accountId }) => ({
          status: 'applying',
          holder,
          holds: accountId,
          appliedBy: by,
          appliedAt: at.getTime(),
          leaseUntil: now() + leaseMs,
        }),
      ),

    keep: async ({ id, holder, leaseMs, done, failed }) =>
      change(
        id,
        (head) => head.status === 'applying' && head.holder === holder && head.holds !== null,
        () => ({ leaseUntil: now() + leaseMs, done, failed }),
      ),

    async noteOutcomes({ id, outcomes }) {
      const entries = state().plans.get(id)?.entries ?? [];
      const places = new Map(entries.map(({ number }, index) => [number, index]));
      for (const { number, outcome, reason } of outcomes) {
        const place = places.get(number);
        const entry = place === undefined ? undefined : entries[place];
        if (place !== undefined && entry !== undefined) entries[place] = { ...entry, outcome, reason };
      }
    },

    finish: async ({ id, holder, at, status, ...end }) =>
      change(
        id,
        (head) => head.status === 'applying' && head.holder === holder,
        () => ({
          ...end,
          status: status === 'interrupted' ? 'applying' : status,
          holder: null,
          holds: null,
          leaseUntil: 0,
          endedAt: at.getTime(),
        }),
      ),

    async holding(accountId) {
      const heads = [...state().plans.values()].map(({ head }) => head);
      const held = heads.find((head) => head.holds === accountId && isHeld(head));
      return held === undefined || held.holder === null ? undefined : { id: held.id, holder: held.holder };
    },

    takeBack: async ({ id, holder }) =>
      change(
        id,
        (head) => head.holder === holder && head.holds !== null,
        () => ({ holds: null, leaseUntil: 0 }),
      ),

    release: async (id) =>
      change(
        id,
        ({ status, holds }) => status === 'ready' && holds !== null,
        () => ({ holds: null, leaseUntil: 0 }),
      ),

    discard: async ({ id, at, message }) =>
      change(
        id,
        (head) => DISCARDABLE.includes(head.status) && !isHeld(head),
        () => ({ status: 'discarded', endedAt: at.getTime(), message, holder: null, holds: null, leaseUntil: 0 }),
      ),

    async remove(id) {
      const head = headOf(id);
      return head !== undefined && !isHeld(head) && state().plans.delete(id);
    },

    async prune(before) {
      let count = 0;
      for (const { head } of [...state().plans.values()]) {
        if (head.madeAt >= before.getTime() || isHeld(head)) continue;
        state().plans.delete(head.id);
        count++;
      }
      return count;
    },
  };
}

type Made = Pick<StoredPlan, 'id' | 'madeAt'>;

function isNewer(left: Made, right: Made): boolean {
  if (left.madeAt !== right.madeAt) return left.madeAt > right.madeAt;
  return left.id > right.id;
}
