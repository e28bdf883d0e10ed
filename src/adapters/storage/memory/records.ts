import type { Clock, RangeRemoval, RecordQuery, RecordStore, RecordWrite, StoredRecord } from '../../../ports/index.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';

interface MemoryRecord extends StoredRecord {
  readonly sorts: readonly (string | null)[];
}

/** Records by kind and key. */
export class MemoryRecords {
  readonly #kinds = new Map<string, Map<string, MemoryRecord>>();
  #lastVersion = 0;

  of(kind: string): Map<string, MemoryRecord> {
    const known = this.#kinds.get(kind) ?? new Map<string, MemoryRecord>();
    this.#kinds.set(kind, known);
    return known;
  }

  put({ kind, key, value, sorts = [] }: RecordWrite): void {
    const records = this.of(kind);
    const place = wellFormed(key);
    if (value === null) records.delete(place);
    else {
      const well = sorts.map((sort) => (sort === null ? null : wellFormed(sort)));
      records.set(place, { key: place, value, sorts: well, version: ++this.#lastVersion });
    }
  }

  /** The records that a query means, in order. */
  found({ kind, by, from, after, before }: RecordQuery): readonly MemoryRecord[] {
    const sortOf = (record: MemoryRecord): string | null =>
      by === undefined ? record.key : (record.sorts[by] ?? null);
    const isMeant = (text: string | null): boolean =>
      text !== null &&
      (from === undefined || compareUtf8(text, wellFormed(from)) >= 0) &&
      (after === undefined || compareUtf8(text, wellFormed(after)) > 0) &&
      (before === undefined || compareUtf8(text, wellFormed(before)) < 0);
    return [...this.of(kind).values()]
      .filter((record) => isMeant(sortOf(record)))
      .sort((a, b) => compareUtf8(sortOf(a) ?? '', sortOf(b) ?? '') || compareUtf8(a.key, b.key));
  }

  /** Answers how many records were removed. */
  remove({ remove, except = [] }: RangeRemoval): number {
    const spared = new Set(except.map(wellFormed));
    const found = this.found(remove).filter(({ key }) => !spared.has(key));
    for (const { key } of found) this.of(remove.kind).delete(key);
    return found.length;
  }

  clear(): void {
    this.#kinds.clear();
  }
}

export function memoryRecords(state: () => MemoryRecords, clock: Clock): RecordStore {
  const now = () => clock.now().getTime();
  return {
    async get(kind, keys) {
      const known = state().of(kind);
      const found = keys.flatMap((key) => known.get(wellFormed(key)) ?? []);
      return { now: now(), records: new Map(found.map((record) => [record.key, record])) };
    },

    async list({ limit, descending = false, ...query }) {
      const found = state().found(query);
      const inOrder = descending ? found.toReversed() : found;
      return { now: now(), records: inOrder.slice(0, Math.max(limit, 0)) };
    },

    count: async (query) => state().found(query).length,

    async write(changes) {
      const records = state();
      const isExpected = changes.every((change) => {
        if ('remove' in change || change.expect === undefined) return true;
        return (records.of(change.kind).get(wellFormed(change.key))?.version ?? null) === change.expect;
      });
      if (!isExpected) return null;
      let removed = 0;
      for (const change of changes) {
        if ('remove' in change) removed += records.remove(change);
        else records.put(change);
      }
      return removed;
    },
  };
}
