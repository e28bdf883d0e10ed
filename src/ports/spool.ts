/** Bytes that are put aside and read again by whoever put them there. Gone when it is closed, and when the process ends. */
export interface Spool {
  /** Keeps bytes. Throws where there is no room. */
  put(bytes: Uint8Array): Promise<Spooled>;
  /** All that was put there by one call. The reader does not change it. */
  read(place: Spooled): Promise<Uint8Array>;
  /** Nobody begins to read these again. What stands on the disk stays there until the end. */
  drop(place: Spooled): void;
  /** Bytes in memory, and bytes on the disk, of which some may be dropped. */
  readonly held: { readonly memory: number; readonly disk: number };
  /** Idempotent. */
  close(): Promise<void>;
}

/** Where something stands in a spool; only its spool knows how. */
export interface Spooled {
  /** Bytes. */
  readonly length: number;
}
