import type { Clock, CronStore } from '../../../ports/index.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';
import type { MemoryState, StoredCronState } from './state.ts';

export function memoryCron(state: () => MemoryState, clock: Clock): CronStore {
  const now = () => clock.now().getTime();

  function heldBy(groupId: string, holder: string): StoredCronState | undefined {
    const group = state().cronStates.get(groupId);
    return group?.holder === holder ? group : undefined;
  }

  return {
    async states() {
      const moment = now();
      return [...state().cronStates.values()]
        .sort((left, right) => compareUtf8(left.groupId, right.groupId))
        .map(({ leaseUntil, lastStart, lastEnd, ...group }) => ({
          ...group,
          lastStart: new Date(lastStart),
          lastEnd: lastEnd === null ? null : new Date(lastEnd),
          isHeld: leaseUntil > moment,
        }));
    },

    async claim({ groupId, holder, at, leaseMs, seenStart, requested }) {
      const known = state().cronStates.get(groupId);
      const moment = now();
      if ((known?.lastStart ?? null) !== (seenStart?.getTime() ?? null)) return false;
      if (known !== undefined && known.leaseUntil > moment) return false;
      state().cronStates.set(groupId, {
        groupId,
        lastStart: at.getTime(),
        lastEnd: null,
        message: known?.message ?? '',
        hasError: known?.hasError ?? false,
        requested,
        attempts: (known?.attempts ?? 0) + 1,
        holder,
        leaseUntil: moment + leaseMs,
      });
      return true;
    },

    async keep({ groupId, holder, leaseMs }) {
      const group = heldBy(groupId, holder);
      if (group === undefined) return false;
      state().cronStates.set(groupId, { ...group, leaseUntil: now() + leaseMs });
      return true;
    },

    async finish({ groupId, holder, at, message, hasError }) {
      const group = heldBy(groupId, holder);
      if (group === undefined) return false;
      const end = { lastEnd: at.getTime(), message: wellFormed(message), hasError };
      state().cronStates.set(groupId, { ...group, ...end, holder: null, attempts: 0, leaseUntil: 0 });
      return true;
    },

    async release({ groupId, holder, uncounted }) {
      const group = heldBy(groupId, holder);
      if (group === undefined || group.leaseUntil <= now()) return false;
      const attempts = uncounted ? group.attempts - 1 : group.attempts;
      state().cronStates.set(groupId, { ...group, attempts, leaseUntil: 0 });
      return true;
    },

    async retain(groupIds) {
      const wanted = new Set(groupIds);
      const moment = now();
      let count = 0;
      for (const { groupId, leaseUntil } of state().cronStates.values()) {
        if (wanted.has(groupId) || leaseUntil > moment) continue;
        state().cronStates.delete(groupId);
        count++;
      }
      return count;
    },
  };
}
