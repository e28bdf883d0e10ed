import type { ArchiveReason } from '../../../ports/index.ts';

/**
 * The members of a stored host that the decisions look at. A store hands over those that it has read; each decision names the
 * ones that it needs, so nothing is read in vain. Times are milliseconds.
 */
export interface HostState {
  readonly accountId: string | null;
  readonly isObject: boolean;
  /** `null` while the host is active. */
  readonly archive: { readonly at: number; readonly by: ArchiveReason } | null;
  /** The monitoring folder whose pool seat the host holds. */
  readonly folder: string | null;
  readonly createdAt: number;
  readonly lastSeen: number | null;
  /** The last import run that wrote the owner's labels. */
  readonly runId: string | null;
}
