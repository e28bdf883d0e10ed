import type { RecordParts } from '../records/record-parts.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { HistoryStore } from './history-store.ts';
import type { HostStore } from './host-store.ts';
import type { MarkStore } from './mark-store.ts';
import type { RecordStore } from './record-store.ts';
import type { RelationStore } from './relation-store.ts';
import type { RuleStore } from './rule-store.ts';
import type { StorageTransfer } from './storage-transfer.ts';

/**
 * How often each part changed: `hosts` and `rules/<type>`. A name that never changed is absent. Numbers only grow, and a
 * change that is acknowledged is seen by the next call on any node. Caches compare them and never trust time.
 */
export type Revisions = ReadonlyMap<string, number>;

export interface StorageHealth {
  readonly ok: boolean;
  /** The problem and its remedy, or the engine and its version if all is well. */
  readonly message: string;
}

/** A copy of the database that follows it, for readings that decide nothing. */
export interface Replica {
  /** As `HostStore.scan`. From the copy while it has everything that was acknowledged before the call, otherwise from the database. */
  scan: HostStore['scan'];
  /** Never rejects. */
  state(): Promise<ReplicaState>;
}

/** By how many seconds it is behind, or the reason why it is not read at all. */
export type ReplicaState = { readonly behindSeconds: number } | { readonly fault: string };

/** The operations of a database. `storageOf` builds a `Storage` on it. */
export interface Store {
  readonly hosts: HostStore;
  readonly relations: RelationStore;
  readonly marks: MarkStore;
  readonly history: HistoryStore;
  readonly feed: ChangeFeed;
  readonly rules: RuleStore;
  readonly records: RecordStore;
  readonly transfer: StorageTransfer;
  readonly replica?: Replica;

  /** Opens and brings the schema up to date. Idempotent. */
  start(): Promise<void>;
  /** Waits for acknowledged writes and closes. Idempotent, and safe after a failed start. */
  stop(): Promise<void>;
  revisions(): Promise<Revisions>;
  /** Never rejects; `ok` is false for a storage that is not started. */
  health(): Promise<StorageHealth>;
  /** The statements that let a role of the database work with what is stored, and not change its schema. Absent where a store has no roles. */
  grants?(role: string): readonly string[];
  /**
   * Problems found in stored data, each with what it is about, among them each account that hosts belong to and that does not exist; `fix` repairs what can be repaired without loss. With `only` nothing
   * else is looked for: damage is what cannot be read as it was written. Where there is damage, nothing is repaired.
   */
  check(request: { readonly fix: boolean; readonly only?: 'damage' }): AsyncIterable<StorageProblem>;
}

/** Everything that is stored, as one thing that starts and stops. */
export interface Storage extends Omit<Store, 'records'>, RecordParts {}

export interface StorageProblem {
  readonly subject: string;
  readonly message: string;
  readonly fixed: boolean;
}
