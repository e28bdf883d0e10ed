/** A record as it is kept. */
export interface StoredRecord {
  /** Unique within its kind. */
  readonly key: string;
  /** JSON, as it was written. */
  readonly value: string;
  /** Another number after each write of the record. A number is never given twice, whatever was removed in between. */
  readonly version: number;
}

/** Texts in byte order of UTF-8. An absent limit means no limit. */
export interface TextRange {
  /** The first text that is meant. */
  readonly from?: string;
  /** The last text that is not meant any more. */
  readonly after?: string;
  /** The first text that is not meant any more. */
  readonly before?: string;
}

/** Records of a kind, by their keys or by one of their sort keys. */
export interface RecordQuery extends TextRange {
  readonly kind: string;
  /** By this sort key, `0` to `3`: records that have none are left out. Absent: by key. */
  readonly by?: number;
}

/** How many sort keys a record may have. */
export const MAX_SORT_KEYS = 4;

/** A record that is written or removed. */
export interface RecordWrite {
  readonly kind: string;
  readonly key: string;
  /** JSON; `null` removes the record. */
  readonly value: string | null;
  /** The sort keys by which queries find it, at most `MAX_SORT_KEYS`. */
  readonly sorts?: readonly (string | null)[];
  /** The version that the record must have; `null`: there must be none. Absent: whatever is there is replaced. */
  readonly expect?: number | null;
}

/** Records that are removed by a query. */
export interface RangeRemoval {
  readonly remove: RecordQuery;
  /** Keys of records that stay. */
  readonly except?: readonly string[];
}

export type RecordChange = RecordWrite | RangeRemoval;

/**
 * Everything that a store keeps by a key and need not understand: leases, sessions, logs, the audit log, plans, ownership, counts. What they mean is
 * written once, in `adapters/storage/records`, for every store.
 *
 * Keys and sort keys are compared byte by byte and come back as they went in, with control characters; halves of surrogate pairs count
 * as U+FFFD. A caller that pages by a sort key makes it unique by putting the record's key behind it.
 */
export interface RecordStore {
  /** The records of these keys that are there, by key, with the time by the store's clock in milliseconds. */
  get(
    kind: string,
    keys: readonly string[],
  ): Promise<{ readonly now: number; readonly records: ReadonlyMap<string, StoredRecord> }>;

  /** Records in order, at most `limit`; with `descending` from the end. With the time as in `get`. */
  list(
    query: RecordQuery & { readonly limit: number; readonly descending?: boolean },
  ): Promise<{ readonly now: number; readonly records: readonly StoredRecord[] }>;

  /** How many records the query means. */
  count(query: RecordQuery): Promise<number>;

  /**
   * Carries out all changes in their order, as one atomic unit, and answers how many records ranges removed. When a record has another version than is
   * expected, nothing is changed and the answer is `null`: expectations are about what was there before the call. Of many who expect the
   * same version, one succeeds.
   */
  write(changes: readonly RecordChange[]): Promise<number | null>;
}
