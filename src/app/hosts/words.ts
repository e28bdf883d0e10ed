import type { ArchiveReason } from '../../ports/index.ts';

/** Why a host is in the archive, as the rest of a sentence. */
export const ARCHIVE_REASONS: Readonly<Record<ArchiveReason, string>> = {
  api: 'deleted over the API',
  import: 'no longer in its source',
  stale: 'not seen for too long',
  operator: 'by an operator',
};
