import { t } from '@lingui/core/macro';
import type { OfferedOutput } from '../../offered-operations.ts';

type Status = OfferedOutput<'imports/import-account'>['status'];

/** How a run ended. One that was stopped is none that failed. */
export type Ending = Status | 'cancelled';

type Titles = Readonly<Record<Ending, string>>;

export function endingOf({ status, cancelled }: { readonly status: Status; readonly cancelled: boolean }): Ending {
  return cancelled ? 'cancelled' : status;
}

/** What was run, and how it ended. */
export const IMPORT_TITLES: Titles = {
  done: t`Import done`,
  partial: t`Import partly done`,
  failed: t`Import failed`,
  cancelled: t`Import cancelled`,
};

export const EXPORT_TITLES: Titles = {
  done: t`Export done`,
  partial: t`Export partly done`,
  failed: t`Export failed`,
  cancelled: t`Export cancelled`,
};

export const DRY_RUN_TITLES: Titles = {
  done: t`Dry run done`,
  partial: t`Dry run partly done`,
  failed: t`Dry run failed`,
  cancelled: t`Dry run cancelled`,
};
