/** Bytes that are put aside and later read again by the same user. Deleted when it is closed, and when the process ends. */
export interface Spool {
  /** Keeps bytes. Throws if there is not enough space. */
  put(bytes: Uint8Array): Promise<Spooled>;
  /** All that was put there by one call. The reader does not change it. */
  read(place: Spooled): Promise<Uint8Array>;
  /** Drops bytes that will not be read again. Those on disk stay there until the end. */
  drop(place: Spooled): void;
  /** Bytes in memory, and bytes on the disk, of which some may be dropped. */
  readonly held: { readonly memory: number; readonly disk: number };
  /** Idempotent. */
  close(): Promise<void>;
}

/** The place of bytes in a spool; only its spool can interpret it. */
export interface Spooled {
  /** Bytes. */
  readonly length: number;
}
