import type { SignInStore } from '../../../ports/index.ts';
import type { MemoryState } from './state.ts';

export function memorySignIns(state: () => MemoryState): SignInStore {
  return {
    async vouch(userId, at) {
      const known = state().signIns.get(userId);
      if (known === undefined || known < at) state().signIns.set(userId, new Date(at));
    },
    async vouchedAt(userId) {
      const at = state().signIns.get(userId);
      return at === undefined ? undefined : new Date(at);
    },
    withdraw: async (userId) => state().signIns.delete(userId),
  };
}
