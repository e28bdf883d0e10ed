import { t } from '@lingui/core/macro';
import type { OfferedOutput } from '../../offered-operations.ts';

type Titles = Readonly<Record<OfferedOutput<'imports/import-account'>['status'], string>>;

/** What was run, and how it ended. */
export const IMPORT_TITLES: Titles = {
  done: t`Import done`,
  partial: t`Import partly done`,
  failed: t`Import failed`,
};

export const EXPORT_TITLES: Titles = {
  done: t`Export done`,
  partial: t`Export partly done`,
  failed: t`Export failed`,
};

export const DRY_RUN_TITLES: Titles = {
  done: t`Dry run done`,
  partial: t`Dry run partly done`,
  failed: t`Dry run failed`,
};
