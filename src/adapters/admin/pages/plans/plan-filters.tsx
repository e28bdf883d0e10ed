import { t } from '@lingui/core/macro';
import { Group, Select } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { ENTRY_OUTCOMES, PLAN_ACTIONS } from '../../../../app/exports/plans/words.ts';
import { SearchField } from '../parts/search-field.tsx';
import { choiceParam } from '../parts/search-params.ts';
import { ACTION_WORDS, OUTCOME_WORDS } from './plan-words.ts';
import type { PlanSearch } from './routes.tsx';

const route = getRouteApi('/plans/$plan');

const ACTIONS = PLAN_ACTIONS.map((value) => ({ value, label: ACTION_WORDS[value] }));
const OUTCOMES = [
  { value: 'open', label: t`not tried yet` },
  ...ENTRY_OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value] })),
];

interface PlanFiltersProps {
  /** Kinds of objects that the target has, as far as that is known. */
  readonly kinds: readonly { readonly id: string; readonly title: string }[];
  readonly hasOutcomes: boolean;
}

/** Selects the shown changes; a part of the address. */
export function PlanFilters({ kinds, hasOutcomes }: PlanFiltersProps) {
  const { action, kind, outcome, text } = route.useSearch();
  const navigate = route.useNavigate();
  const known = kinds.map(({ id, title }) => ({ value: id, label: title }));

  function narrow(change: PlanSearch): void {
    void navigate({ search: (now) => ({ ...now, after: undefined, ...change }), replace: true, resetScroll: false });
  }

  return (
    <Group align="flex-end" gap="sm">
      <SearchField
        label={t`Search`}
        w={260}
        placeholder={t`part of an object or host`}
        value={text ?? ''}
        onSearch={(wanted) => narrow({ text: wanted === '' ? undefined : wanted })}
      />
      <Select
        label={t`Action`}
        placeholder={t`All actions`}
        clearable
        w={160}
        data={ACTIONS}
        value={action ?? null}
        onChange={(wanted) => narrow({ action: choiceParam(wanted, PLAN_ACTIONS) })}
      />
      {known.length > 1 && (
        <Select
          label={t`Kind`}
          placeholder={t`All kinds`}
          clearable
          w={180}
          data={
            kind === undefined || kinds.some(({ id }) => id === kind) ? known : [{ value: kind, label: kind }, ...known]
          }
          value={kind ?? null}
          onChange={(wanted) => narrow({ kind: wanted ?? undefined })}
        />
      )}
      {hasOutcomes && (
        <Select
          label={t`Outcome`}
          placeholder={t`All outcomes`}
          clearable
          w={180}
          data={OUTCOMES}
          value={outcome ?? null}
          onChange={(wanted) => narrow({ outcome: choiceParam(wanted, ['open', ...ENTRY_OUTCOMES]) })}
        />
      )}
    </Group>
  );
}
