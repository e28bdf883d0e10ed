/** An object of a remote system that Muster made or took over, or is about to. */
export interface OwnedObject {
  readonly kind: string;
  readonly key: string;
  /** Id of the object in the system; `null` while it is being created. */
  readonly remoteId: string | null;
  /** The host that wants it; empty if several do, or if that is not known. */
  readonly hostname: string;
  /** Digest of the fields that were written last, without secret ones. */
  readonly digest: string;
  /** The secret fields that were written last, sealed; empty when there are none. */
  readonly secrets: string;
  readonly writtenAt: Date;
  /**
   * Names of the fields that are being written, from just before the system is asked until it has answered; `null` otherwise. What such a
   * row stays behind of may have been made, and is ours if it has these fields.
   */
  readonly pending: readonly string[] | null;
}

export type OwnedKey = Pick<OwnedObject, 'kind' | 'key'>;

/** The objects that Muster owns in remote systems, by account. */
export interface OwnershipStore {
  /** Stores each in place of the one that has its kind and key. One call is one atomic unit. */
  save(accountId: string, objects: readonly OwnedObject[]): Promise<void>;

  /** Forgets them; those that are not there count for nothing. One call is one atomic unit. */
  remove(accountId: string, keys: readonly OwnedKey[]): Promise<void>;

  /** All of the account by kind, then key, each in byte order, in batches of at most `batchSize`. Needs memory for a batch. */
  scan(accountId: string, batchSize: number): AsyncIterable<readonly OwnedObject[]>;

  count(accountId: string): Promise<number>;

  /** Forgets all of the account. Answers the count. */
  clear(accountId: string): Promise<number>;
}
