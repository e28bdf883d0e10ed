import { afterEach, beforeEach } from 'vitest';
import type { Storage } from '../ports/index.ts';

export interface OpenedStorage {
  readonly storage: Storage;
  /** Stops the storage and takes away whatever it stored. */
  close(): Promise<void>;
}

/** How a storage adapter shows itself to its contract. */
export interface StorageHarness {
  /** A started storage that holds nothing. */
  create(): Promise<OpenedStorage>;
  /**
   * A second storage over the same data as the opened one, as another process would have it. Absent for adapters whose data
   * live and die with one storage.
   */
  reopen?(opened: OpenedStorage): Promise<OpenedStorage>;
}

/** A fresh storage for each test of the surrounding `describe`. */
export function freshStorage(harness: StorageHarness): () => Storage {
  let opened: OpenedStorage | undefined;
  beforeEach(async () => {
    opened = await harness.create();
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
  return () => {
    if (opened === undefined) throw new Error('no storage outside of a test');
    return opened.storage;
  };
}
