import type { HostCountStore, RecordStore } from '../../../ports/index.ts';
import { storedCounts, toCounts } from '../shared/host-counts.ts';
import type { TransferItem } from '../shared/transfer-table.ts';
import { RecordKind } from './record-kind.ts';

export function hostCountKind(records: () => RecordStore): RecordKind<TransferItem<'host_counts'>> {
  return new RecordKind<TransferItem<'host_counts'>>(records, { name: 'host_counts', key: ({ day }) => day });
}

/** Days read at once. */
const PAGE = 500;

export function recordedHostCounts(records: () => RecordStore): HostCountStore {
  const kind = hostCountKind(records);
  return {
    keep: (counts) =>
      kind.change(counts.day, (present) => {
        const isNewer = present === undefined || present.at <= counts.at.getTime();
        return isNewer ? { answer: undefined, put: storedCounts(counts) } : { answer: undefined };
      }),

    async since(day) {
      const found = [];
      for await (const page of kind.pages({ from: day, limit: PAGE }))
        found.push(...page.map(({ item }) => toCounts(item)));
      return found;
    },

    prune: (before) => kind.clear({ before }),
  };
}
