import type { JsonObject } from '../json.ts';

/** Parts of a storage, in the order in which they are loaded: what others refer to comes first. */
export const TRANSFER_PARTS = [
  'rules',
  'rule_versions',
  'hosts',
  'contributions',
  'relations',
  'account_marks',
  'host_changes',
  'host_comments',
  'logs',
  'audit',
  'audit_chain',
  'token_uses',
  'cron_states',
  'playbook_runs',
  'playbook_matches',
  'ownership',
  'host_counts',
] as const;

export type TransferPart = (typeof TRANSFER_PARTS)[number];

/** One stored thing in the neutral form that every store reads and writes alike. */
export interface TransferRecord {
  /** Unique within its part; records are read in byte order of it. */
  readonly key: string;
  /** Everything that is stored of it: dates as ISO 8601 with milliseconds, absent values as `null`. */
  readonly value: JsonObject;
}

/** Moving everything that is stored, for backups and for changing the store. */
export interface StorageTransfer {
  /**
   * All records of a part by key, in batches. `after` continues behind that key. The same storage state gives the same
   * records from every store.
   */
  read(
    part: TransferPart,
    options: { readonly after?: string; readonly batchSize: number },
  ): AsyncIterable<readonly TransferRecord[]>;

  /**
   * All parts in their order, as one consistent state: what is written meanwhile is in none of them. A store that cannot
   * promise that says so in its documentation.
   */
  snapshot(
    batchSize: number,
  ): AsyncIterable<{ readonly part: TransferPart; readonly records: readonly TransferRecord[] }>;

  /**
   * Stores records exactly as they are, replacing those of the same key; one call is one atomic unit. Contributions and changes of hosts
   * that are not there are left out. Moves revisions, of `rules` those of their types.
   */
  write(part: TransferPart, records: readonly TransferRecord[]): Promise<void>;

  count(part: TransferPart): Promise<number>;

  /** Deletes everything in all parts, ends all sessions, and forgets what was used once and how far the audit log was forwarded. */
  clear(): Promise<void>;
}
