import { t } from '@lingui/core/macro';
import { Box, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { numberText } from '../language/numbers.ts';
import { TurnPages } from '../parts/turn-pages.tsx';
import { EntryOfPlan, type PlanEntry } from './plan-entry.tsx';

const route = getRouteApi('/plans/$plan');

interface PlanEntriesProps {
  readonly entries: readonly PlanEntry[];
  readonly next: number | null;
  /** True while entries of another page or filter stand here. */
  readonly isOld: boolean;
}

/** The changes of a plan, a page at a time. */
export function PlanEntries({ entries, next, isOld }: PlanEntriesProps) {
  const { after, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  return (
    <Box aria-busy={isOld} opacity={isOld ? 0.6 : 1}>
      <EntryList
        entries={entries}
        empty={isNarrowed ? t`No change matches. Remove a filter.` : t`There is nothing to change.`}
      />
      {(next !== null || after !== undefined) && (
        <TurnPages
          of={t`changes`}
          note={rangeText(entries)}
          place={after === undefined ? undefined : String(after)}
          next={next === null ? null : String(next)}
          go={(place, state) =>
            void navigate({
              search: (now) => ({ ...now, after: place === undefined ? undefined : Number(place) }),
              state,
            })
          }
        />
      )}
    </Box>
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
