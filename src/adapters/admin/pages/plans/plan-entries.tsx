import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { numberText } from '../language/numbers.ts';
import { Turned } from '../parts/pager.tsx';
import { EntryOfPlan, type PlanEntry } from './plan-entry.tsx';

const route = getRouteApi('/plans/$plan');

interface PlanEntriesProps {
  readonly entries: readonly PlanEntry[];
  readonly next: number | null;
  /** True while entries of another page or filter are shown. */
  readonly isOld: boolean;
}

/** The changes of a plan, a page at a time. */
export function PlanEntries({ entries, next, isOld }: PlanEntriesProps) {
  const { after: _, ...filter } = route.useSearch();
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  return (
    <Turned of={t`changes`} note={rangeText(entries)} isStale={isOld} at="after" next={next}>
      <EntryList
        entries={entries}
        empty={isNarrowed ? t`No change matches. Remove a filter.` : t`There is nothing to change.`}
      />
    </Turned>
  );
}

export function EntryList({ entries, empty }: { readonly entries: readonly PlanEntry[]; readonly empty: string }) {
  if (entries.length === 0) {
    return (
      <Text c="dimmed" py="lg" ta="center" role="status">
        {empty}
      </Text>
    );
  }
  return (
    <ol className="plain-list plan-entries" aria-label={t`Changes`}>
      {entries.map((entry) => (
        <EntryOfPlan key={entry.number} entry={entry} />
      ))}
    </ol>
  );
}

function rangeText(entries: readonly PlanEntry[]): string {
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) return '';
  return t`Changes ${{ first: numberText(first.number) }} to ${{ last: numberText(last.number) }}`;
}
