import type { HostCountStore } from '../../../ports/index.ts';
import { storedCounts, toCounts } from '../shared/host-counts.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import type { MemoryState } from './state.ts';

export function memoryHostCounts(state: () => MemoryState): HostCountStore {
  return {
    async keep(counts) {
      const { hostCounts } = state();
      const present = hostCounts.get(counts.day);
      if (present === undefined || present.at <= counts.at.getTime()) hostCounts.set(counts.day, storedCounts(counts));
    },

    async since(day) {
      const found = [...state().hostCounts.values()].filter((counts) => counts.day >= day);
      return found.sort((a, b) => compareUtf8(a.day, b.day)).map(toCounts);
    },

    async prune(before) {
      const { hostCounts } = state();
      return [...hostCounts.keys()].filter((day) => day < before && hostCounts.delete(day)).length;
    },
  };
}
