import { t } from '@lingui/core/macro';
import type { OfferedOutput } from '../../offered-operations.ts';

export type HostChange = OfferedOutput<'hosts/list-changes'>['changes'][number];

export const CHANGE_KINDS = ['labels', 'inventory', 'archived', 'restored', 'account', 'renamed'] as const;

export const KIND_WORDS: Readonly<Record<HostChange['kind'], string>> = {
  labels: t`Labels`,
  inventory: t`Inventory`,
  archived: t`Archived`,
  restored: t`Restored`,
  account: t`Other account`,
  renamed: t`Renamed`,
};

/** Filters of the list of changes. */
export interface ChangesSearch {
  /** Query that selects the hosts. */
  readonly where?: string | undefined;
  /** A label, or another field of hosts. */
  readonly field?: string | undefined;
  /** First day, in the time zone of the page, or the last hours: `2h`. */
  readonly from?: string | undefined;
  /** The last day, of that zone. */
  readonly to?: string | undefined;
  readonly by?: string | undefined;
  readonly kind?: HostChange['kind'] | undefined;
  readonly before?: string | undefined;
}

/** How many hours `2h` are; undefined for a day. */
export function hoursOf(from: string | undefined): number | undefined {
  const hours = /^(\d{1,3})h$/.exec(from ?? '')?.[1];
  return hours === undefined ? undefined : Number(hours);
}

/** Returns the beginning of the next day, at which a day ends. */
export function dayAfter(day: string): string {
  return dayBefore(day, -1);
}

/** Returns the day that number of days earlier. */
export function dayBefore(day: string, days = 1): string {
  return new Date(Date.parse(day) - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}
