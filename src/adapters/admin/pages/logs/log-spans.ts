import { t } from '@lingui/core/macro';

/** How far back the log can be narrowed to. */
export const LOG_SPANS = [
  { hours: 1, label: t`Last hour` },
  { hours: 24, label: t`Last 24 hours` },
  { hours: 168, label: t`Last 7 days` },
  { hours: 720, label: t`Last 30 days` },
] as const;

/** Entries of a page. */
export const PAGE_SIZE = 50;

/** Explains that there are no older entries, or that a page here holds fewer. */
export function olderNote(next: string | null, shown: number): string {
  if (next === null) return t`There are no older entries.`;
  return shown < PAGE_SIZE ? t`Not searched to the end yet: continue with "Older".` : '';
}
