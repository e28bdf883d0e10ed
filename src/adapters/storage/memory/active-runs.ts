import type { ActiveRunStore, Clock } from '../../../ports/index.ts';
import {
  inOrder,
  keptRun,
  newActiveRun,
  runInTheWay,
  type StoredActiveRun,
  toActiveRun,
} from '../shared/active-run.ts';
import type { MemoryState } from './state.ts';

export function memoryActiveRuns(state: () => MemoryState, clock: Clock): ActiveRunStore {
  const now = () => clock.now().getTime();

  /** What goes on; what is over is forgotten. */
  function going(): StoredActiveRun[] {
    const runs = state().activeRuns;
    const moment = now();
    return [...runs.values()].filter(({ leaseUntil }) => leaseUntil > moment);
  }

  return {
    async begin(start) {
      const ofAccount = going().filter(({ accountId }) => accountId === start.accountId);
      const other = runInTheWay(ofAccount, start);
      if (other !== undefined) return toActiveRun(other);
      const runs = state().activeRuns;
      for (const run of [...runs.values()]) {
        if (run.accountId === start.accountId && !ofAccount.includes(run)) runs.delete(run.id);
      }
      runs.set(start.id, newActiveRun(start, now()));
      return undefined;
    },

    async keep({ id, leaseMs, progress }) {
      const run = state().activeRuns.get(id);
      if (run === undefined) return 'ended';
      state().activeRuns.set(id, keptRun(run, now() + leaseMs, progress));
      return run.cancelRequested ? 'cancel' : 'kept';
    },

    end: async ({ id }) => state().activeRuns.delete(id),

    async requestCancel({ id }) {
      const run = going().find((each) => each.id === id);
      if (run === undefined) return false;
      state().activeRuns.set(id, { ...run, cancelRequested: true });
      return true;
    },

    list: async () => inOrder(going()),

    async lapsed() {
      const moment = now();
      return inOrder([...state().activeRuns.values()].filter(({ leaseUntil }) => leaseUntil <= moment));
    },
  };
}
