import type { ChangeFeed } from '../../../ports/index.ts';
import { feedPage, type KeptChange } from '../shared/feed-pages.ts';
import type { MemoryState } from './state.ts';

export function memoryFeed(state: () => MemoryState): ChangeFeed {
  return {
    after: (since, limit) =>
      feedPage<number>(
        {
          async state() {
            const { feed, feedPruned, feedEnd } = state();
            return { feed, pruned: feedPruned, end: feedEnd };
          },
          rows: async (from, count) => ({
            rows: state()
              .feedRows.filter(({ place }) => place >= from)
              .slice(0, count),
            isOpen: false,
          }),
          async changes(references) {
            const { changes } = state();
            const kept = references.flatMap((reference): [string, KeptChange][] => {
              const change = changes.get(reference);
              if (change === undefined) return [];
              return [[String(reference), { hostname: change.hostname, changes: JSON.stringify(change.changes) }]];
            });
            return new Map(kept);
          },
          idOf: (_note, { place, offset }) => `${place}.${offset}`,
        },
        since,
        limit,
      ),
  };
}
