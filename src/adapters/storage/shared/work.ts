import type { Clock, OfferedWork, WorkStore } from '../../../ports/index.ts';
import { compareUtf8, wellFormed } from './utf8-order.ts';

/** Work as stores keep it: as JSON, and its times in milliseconds. */
export interface StoredWork
  extends Omit<OfferedWork, 'offeredAt' | 'isOffered' | 'waitingMs' | 'isHeld' | 'isResting'> {
  readonly offeredAt: number;
  readonly offeredUntil: number;
  readonly waitingSince: number;
  readonly heldUntil: number;
  /** Absent in work of nodes that do not know it. */
  readonly priorityMs?: number;
  /** As of the last claim. Absent in work of nodes that do not know it. */
  readonly restMs?: number;
}

/** The new state of work, and the answer to the caller. */
export interface WorkDecision {
  readonly answer: boolean;
  /** `null` removes it; absent: it stays as it is. */
  readonly put?: StoredWork | null;
}

/** The entries in which a store keeps work, one for each. */
export interface WorkEntries {
  /** Reads an entry, decides by the clock of the store, and writes what was decided if the entry is still the same, else decides again. */
  change(id: string, decide: (present: StoredWork | undefined, now: number) => WorkDecision): Promise<boolean>;
  list(): Promise<{ readonly now: number; readonly works: readonly StoredWork[] }>;
}

const UNCHANGED: WorkDecision = { answer: false };

/** From when another node may begin the work. */
function freeFrom({ holder, heldUntil, restMs = 0 }: StoredWork): number {
  return holder === null ? 0 : heldUntil + restMs;
}

function orderOf({ offeredAt, priorityMs = 0 }: StoredWork): number {
  return offeredAt - priorityMs;
}

export function workStore(entries: WorkEntries): WorkStore {
  /** Changes work that is there, if there is anything to change. */
  const change = (id: string, decide: (work: StoredWork, now: number) => StoredWork | undefined): Promise<boolean> =>
    entries.change(id, (work, now) => {
      const put = work && decide(work, now);
      return put === undefined ? UNCHANGED : { answer: true, put };
    });

  return {
    async offer({ id, body, at, offeredBy, leaseMs, priorityMs = 0 }) {
      await entries.change(id, (_, now) => ({
        answer: true,
        put: {
          ...{ id, body: wellFormed(body), offeredAt: at.getTime(), offeredBy, offeredUntil: now + leaseMs },
          ...{ priorityMs, waitingSince: now, holder: null, heldUntil: 0, attempts: 0, result: null },
        },
      }));
    },

    async list() {
      const { now, works } = await entries.list();
      return [...works]
        .sort((left, right) => orderOf(left) - orderOf(right) || compareUtf8(left.id, right.id))
        .map((work) => {
          const { offeredAt, offeredUntil, waitingSince, heldUntil, priorityMs: _, restMs: __, ...shown } = work;
          const isHeld = heldUntil > now;
          return {
            ...shown,
            offeredAt: new Date(offeredAt),
            isOffered: offeredUntil > now,
            waitingMs: Math.max(0, now - Math.max(waitingSince, freeFrom(work))),
            isHeld,
            isResting: !isHeld && work.result === null && freeFrom(work) > now,
          };
        });
    },

    claim: ({ id, holder, leaseMs, restMs = 0 }) =>
      change(id, (work, now) => {
        if (work.result !== null || freeFrom(work) > now || work.offeredUntil <= now) return undefined;
        return { ...work, holder, heldUntil: now + leaseMs, restMs, attempts: work.attempts + 1 };
      }),

    keep: ({ id, name, leaseMs }) =>
      change(id, (work, now) => {
        if (name === work.offeredBy) return { ...work, offeredUntil: now + leaseMs };
        if (name !== work.holder || work.result !== null || work.offeredUntil <= now) return undefined;
        return { ...work, heldUntil: now + leaseMs };
      }),

    promise: (id) =>
      change(id, (work, now) =>
        work.result !== null || work.heldUntil > now ? undefined : { ...work, waitingSince: now },
      ),

    end: ({ id, holder, result }) =>
      change(id, (work) =>
        work.holder !== holder || work.result !== null
          ? undefined
          : { ...work, heldUntil: 0, result: wellFormed(result) },
      ),

    release: ({ id, holder }) =>
      change(id, (work, now) =>
        work.holder !== holder || work.result !== null
          ? undefined
          : { ...work, holder: null, heldUntil: 0, waitingSince: now, attempts: work.attempts - 1 },
      ),

    remove: (id) => entries.change(id, (work) => (work === undefined ? UNCHANGED : { answer: true, put: null })),
  };
}

/** For a store whose files are those of one machine: no other node can see its offers, so they need not outlast the process. */
export function entriesOfProcess(clock: Clock): WorkEntries {
  const works = new Map<string, StoredWork>();
  const now = (): number => clock.now().getTime();
  return {
    async change(id, decide) {
      const { answer, put } = decide(works.get(id), now());
      if (put === null) works.delete(id);
      else if (put !== undefined) works.set(id, put);
      return answer;
    },
    list: async () => ({ now: now(), works: [...works.values()] }),
  };
}
