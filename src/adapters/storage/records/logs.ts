import type { LogEntry, LogPlace, LogStore, RecordStore } from '../../../ports/index.ts';
import type { TransferItem } from '../shared/transfer-table.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { type Kept, RecordKind, timeKey, within } from './record-kind.ts';

type StoredLogEntry = TransferItem<'logs'>;

const TIME = 0;
const SOURCE = 1;

export function logKind(records: () => RecordStore): RecordKind<StoredLogEntry> {
  return new RecordKind<StoredLogEntry>(records, {
    name: 'logs',
    key: ({ id }) => id,
    sorts: [placeKey, (entry) => `${entry.source}\u0000${placeKey(entry)}`],
  });
}

export function recordedLogs(records: () => RecordStore): LogStore {
  const kind = logKind(records);

  /** The newest entry of each source, from the last source to the first: each is found by the end of the one before it. */
  async function* newestOfEach(): AsyncGenerator<Kept<StoredLogEntry>> {
    let before: string | undefined;
    for (;;) {
      const range = before === undefined ? {} : { before };
      const [newest] = (await kind.list({ by: SOURCE, ...range, limit: 1, descending: true })).items;
      if (newest === undefined) return;
      yield newest;
      before = within(newest.item.source).from;
    }
  }

  return {
    async append(entry) {
      await records().write([kind.put(fromEntry(entry))]);
    },

    async latest({ limit, source, before }) {
      const place = before && placeKey({ id: before.id, at: before.at.getTime() });
      const range =
        source === undefined
          ? { by: TIME, ...(place && { before: place }) }
          : { by: SOURCE, ...within(source), ...(place && { before: `${wellFormed(source)}\u0000${place}` }) };
      const { items } = await kind.list({ ...range, limit, descending: true });
      return items.map(({ item }) => toEntry(item));
    },

    async newestBySource() {
      const heads = [];
      for await (const { item } of newestOfEach()) {
        const { details: _, ...head } = toEntry(item);
        heads.push(head);
      }
      return heads.reverse();
    },

    async prune(before) {
      const spared: string[] = [];
      for await (const { key, item } of newestOfEach()) if (item.at < before.getTime()) spared.push(key);
      return kind.clear({ by: TIME, before: timeKey(before.getTime()) }, spared);
    },
  };
}

function placeKey({ at, id }: { readonly at: number } & Pick<LogPlace, 'id'>): string {
  return `${timeKey(at)}\u0000${id}`;
}

function fromEntry({ at, ...entry }: LogEntry): StoredLogEntry {
  return { ...entry, at: at.getTime() };
}

function toEntry({ at, ...entry }: StoredLogEntry): LogEntry {
  return { ...entry, at: new Date(at) };
}
