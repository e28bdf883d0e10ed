import type { CronStore, RecordStore } from '../../../ports/index.ts';
import type { TransferItem } from '../shared/transfer-table.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { type Decision, RecordKind } from './record-kind.ts';

/** The stored state of a cron group; the lease is the time at which it ends, by the store's clock. */
export interface StoredCronState extends TransferItem<'cron_states'> {
  readonly leaseUntil: number;
}

export function cronStateKind(records: () => RecordStore): RecordKind<StoredCronState> {
  return new RecordKind<StoredCronState>(records, { name: 'cron_states', key: ({ groupId }) => groupId });
}

/** States read at once. */
const PAGE = 500;

export function recordedCron(records: () => RecordStore): CronStore {
  const kind = cronStateKind(records);

  /** Changes a group that the holder holds; false when it does not. */
  function changeHeld(
    { groupId, holder }: { readonly groupId: string; readonly holder: string },
    change: (group: StoredCronState, now: number) => StoredCronState | undefined,
  ): Promise<boolean> {
    return kind.change(groupId, (group, now): Decision<StoredCronState, boolean> => {
      const put = group?.holder === holder ? change(group, now) : undefined;
      return put === undefined ? { answer: false } : { answer: true, put };
    });
  }

  return {
    async states() {
      const states = [];
      const now = await kind.now();
      for await (const page of kind.pages({ limit: PAGE })) {
        for (const { item } of page) {
          const { leaseUntil, lastStart, lastEnd, ...group } = item;
          states.push({
            ...group,
            lastStart: new Date(lastStart),
            lastEnd: lastEnd === null ? null : new Date(lastEnd),
            isHeld: leaseUntil > now,
          });
        }
      }
      return states;
    },

    claim: ({ groupId, holder, at, leaseMs, seenStart, requested }) =>
      kind.change(groupId, (known, now): Decision<StoredCronState, boolean> => {
        if ((known?.lastStart ?? null) !== (seenStart?.getTime() ?? null)) return { answer: false };
        if (known !== undefined && known.leaseUntil > now) return { answer: false };
        const put = {
          groupId,
          lastStart: at.getTime(),
          lastEnd: null,
          message: known?.message ?? '',
          hasError: known?.hasError ?? false,
          requested,
          attempts: (known?.attempts ?? 0) + 1,
          holder,
          leaseUntil: now + leaseMs,
        };
        return { answer: true, put };
      }),

    keep: ({ leaseMs, ...held }) => changeHeld(held, (group, now) => ({ ...group, leaseUntil: now + leaseMs })),

    finish: ({ at, message, hasError, ...held }) =>
      changeHeld(held, (group) => ({
        ...group,
        lastEnd: at.getTime(),
        message: wellFormed(message),
        hasError,
        holder: null,
        attempts: 0,
        leaseUntil: 0,
      })),

    release: ({ uncounted, ...held }) =>
      changeHeld(held, (group, now) => {
        if (group.leaseUntil <= now) return undefined;
        return { ...group, attempts: uncounted ? group.attempts - 1 : group.attempts, leaseUntil: 0 };
      }),

    async retain(groupIds) {
      const wanted = new Set(groupIds);
      let count = 0;
      const now = await kind.now();
      for await (const page of kind.pages({ limit: PAGE })) {
        for (const kept of page) {
          if (wanted.has(kept.key) || kept.item.leaseUntil > now) continue;
          // A group claimed in the meantime is kept.
          if ((await records().write([kind.drop(kept)])) !== null) count++;
        }
      }
      return count;
    },
  };
}
