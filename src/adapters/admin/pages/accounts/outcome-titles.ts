import { t } from '@lingui/core/macro';
import type { OfferedOutput } from '../../offered-operations.ts';

type Status = OfferedOutput<'imports/import-account'>['status'];

/** How a run ended. A stopped run did not fail, nor did one whose plan awaits approval. */
export type Ending = Status | 'cancelled' | 'waiting';

interface Ended {
  readonly status: Status;
  readonly cancelled: boolean;
}

type Titles = Readonly<Record<Exclude<Ending, 'waiting'>, string>>;

export function endingOf({ status, cancelled }: Ended): Exclude<Ending, 'waiting'> {
  return cancelled ? 'cancelled' : status;
}

/** The same of an export. */
export function exportEndingOf({ waits = false, ...ended }: Ended & { readonly waits?: boolean | undefined }): Ending {
  return waits ? 'waiting' : endingOf(ended);
}

/** Titles of a run by its outcome. */
export const IMPORT_TITLES: Titles = {
  done: t`Import done`,
  partial: t`Import partly done`,
  failed: t`Import failed`,
  cancelled: t`Import cancelled`,
};

export const EXPORT_TITLES: Readonly<Record<Ending, string>> = {
  done: t`Export done`,
  partial: t`Export partly done`,
  failed: t`Export failed`,
  cancelled: t`Export cancelled`,
  waiting: t`Export waits for approval`,
};

export const DRY_RUN_TITLES: Titles = {
  done: t`Dry run done`,
  partial: t`Dry run partly done`,
  failed: t`Dry run failed`,
  cancelled: t`Dry run cancelled`,
};
