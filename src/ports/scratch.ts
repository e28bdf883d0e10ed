/**
 * Texts by key, for one run that compares more than memory should hold. Deleted when it is closed, and when the process ends.
 * Calls are synchronous; a caller that makes many must let other work run in between.
 */
export interface ScratchTable {
  /** Keeps texts, each in place of the one that had its key. */
  put(rows: readonly ScratchRow[]): void;
  /** Keeps those whose keys are not there yet; of two with one key the first. Whether each was kept, in their order. */
  add(rows: readonly ScratchRow[]): readonly boolean[];
  /** In the order of the keys; `undefined` for one that is not there. */
  get(keys: readonly string[]): readonly (string | undefined)[];
  /** Keys that are not there count for nothing. */
  remove(keys: readonly string[]): void;
  /** In byte order of the keys, behind `after`, of those that begin with `prefix`. */
  page(request: { readonly prefix?: string; readonly after?: string; readonly limit: number }): readonly ScratchRow[];
  /**
   * Returns those of the next `limit` rows after `after` whose keys another table of the same scratch does not have. `last` is
   * the key of the last row examined; absent at the end.
   */
  pageWithout(
    other: string,
    request: { readonly after: string; readonly limit: number },
  ): { readonly rows: readonly ScratchRow[]; readonly last?: string };
  count(): number;
}

export type ScratchRow = readonly [key: string, text: string];

export interface Scratch {
  /** The table of that name, empty at first. */
  table(name: string): ScratchTable;
  /** Idempotent. */
  close(): void;
}
