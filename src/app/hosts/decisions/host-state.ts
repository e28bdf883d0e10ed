import type { ArchiveReason } from '../../../ports/index.ts';

/**
 * What the decisions about a stored host look at. A store hands over what it has read; each decision names the members that
 * it needs, so that nothing is read for it in vain. Times are milliseconds.
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
