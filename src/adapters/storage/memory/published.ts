import type { PublishedStore } from '../../../ports/index.ts';
import { withoutBody } from '../shared/published-files.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import type { MemoryState } from './state.ts';

export function memoryPublished(state: () => MemoryState): PublishedStore {
  return {
    async replace(accountId, files) {
      state().published.set(accountId, new Map(files.map((file) => [file.name, { ...file }])));
    },

    async list(accountId) {
      const files = [...(state().published.get(accountId)?.values() ?? [])];
      return files.map(withoutBody).sort((a, b) => compareUtf8(a.name, b.name));
    },

    read: async (accountId, name) => state().published.get(accountId)?.get(name),
  };
}
