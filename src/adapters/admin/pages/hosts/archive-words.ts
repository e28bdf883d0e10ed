import { t } from '@lingui/core/macro';
import type { ArchiveReason } from '../../../../ports/index.ts';

/** Why a host is in the archive, as the rest of a sentence. */
export const ARCHIVE_REASONS: Readonly<Record<ArchiveReason, string>> = {
  api: t`deleted over the API`,
  import: t`no longer in its source`,
  stale: t`not seen for too long`,
  operator: t`by hand`,
};

/** Conditions for the return of the host. */
export const WAYS_BACK: Readonly<Record<ArchiveReason, string>> = {
  api: t`It comes back when its account writes it again, or when someone restores it.`,
  import: t`It comes back when its source has it again, or when someone restores it.`,
  stale: t`It comes back when its account sees it again, or when someone restores it.`,
  operator: t`No import and no API write brings it back. Someone has to restore it.`,
};
