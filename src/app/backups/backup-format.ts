import type { TransferPart } from '../../ports/index.ts';

/**
 * A backup: lines of JSON, compressed as gzip. First a header, then one record a line in order of parts and keys, then a
 * trailer with the counts and the SHA-256 of all bytes before it.
 */
export const BACKUP_FORMAT = 'muster-backup';
export const BACKUP_VERSION = 1;

export interface BackupHeader {
  readonly format: typeof BACKUP_FORMAT;
  readonly version: typeof BACKUP_VERSION;
  /** Version of the program that wrote it. */
  readonly product: string;
  readonly created: string;
  readonly parts: readonly TransferPart[];
}
