import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Group, Select, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { NewestFirst } from '../parts/newest-first.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { When } from '../parts/when.tsx';
import { RunName } from './run-name.tsx';
import { KIND_WORDS, OUTCOME_TONES, OUTCOME_WORDS, type PastRun } from './run-words.ts';
import { RUN_KINDS, RUN_OUTCOMES, type RunsSearch } from './search.ts';

const route = getRouteApi('/runs');
const PAGE_SIZE = 50;

/** What ran, narrowed as the address says. */
export function PastRuns() {
  const { kind, account, outcome, before } = route.useSearch();
  const navigate = route.useNavigate();
  const page = useAnswer(
    'runs/list-runs',
    {
      limit: PAGE_SIZE,
      ...(kind === undefined ? {} : { kind }),
      ...(account === undefined ? {} : { account }),
      ...(outcome === undefined ? {} : { outcome }),
      ...(before === undefined ? {} : { before }),
    },
    before === undefined ? { everySeconds: 5 } : {},
  );
  const isNarrowed = kind !== undefined || account !== undefined || outcome !== undefined;
  return (
    <>
      <Filters />
      <Answer of={page}>
        {({ runs, next }) => (
          <NewestFirst
            of={t`runs`}
            isStale={page.isPlaceholderData}
            before={before}
            next={next}
            go={(place, state) => void navigate({ search: (now) => ({ ...now, before: place }), state })}
          >
            <DataTable
              caption={t`What ran`}
              minWidth={880}
              columns={columnsOf(new Set(runs.flatMap(({ undid }) => undid ?? [])))}
              rows={runs}
              rowKey={({ place }) => place}
              empty={
                next !== null
                  ? t`Nothing found so far: continue with "Older".`
                  : isNarrowed
                    ? t`No run matches. Remove a filter.`
                    : before === undefined
                      ? t`Nothing has run yet.`
                      : t`There are no older runs.`
              }
            />
          </NewestFirst>
        )}
      </Answer>
    </>
  );
}

function Filters() {
  const { kind, account, outcome } = route.useSearch();
  const navigate = route.useNavigate();
  const accounts = useAnswer('syncer/list-account-runs', {});
  const names = accounts.data?.runs.map(({ name }) => name) ?? [];

  function narrow(change: Omit<RunsSearch, 'before'>): void {
    void navigate({ search: (now) => ({ ...now, before: undefined, ...change }), replace: true, resetScroll: false });
  }

  return (
    <Group gap="sm">
      <Select
        label={t`Kind`}
        placeholder={t`All kinds`}
        clearable
        w={170}
        data={RUN_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
        value={kind ?? null}
        onChange={(wanted) => narrow({ kind: RUN_KINDS.find((one) => one === wanted) })}
      />
      <Select
        label={t`Account`}
        placeholder={t`All accounts`}
        searchable
        clearable
        w={220}
        nothingFoundMessage={t`No account of that name`}
        data={account === undefined || names.includes(account) ? names : [account, ...names]}
        value={account ?? null}
        onChange={(wanted) => narrow({ account: wanted ?? undefined })}
      />
      <Select
        label={t`Outcome`}
        placeholder={t`Any outcome`}
        clearable
        w={170}
        data={RUN_OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value] }))}
        value={outcome ?? null}
        onChange={(wanted) => narrow({ outcome: RUN_OUTCOMES.find((one) => one === wanted) })}
      />
    </Group>
  );
}

/** `undone`: places of imports that one of the shown runs took back. */
function columnsOf(undone: ReadonlySet<string>): readonly Column<PastRun>[] {
  return [
    {
      id: 'at',
      header: t`When`,
      cell: ({ at }) => (
        <span className="one-line">
          <When at={at} />
        </span>
      ),
    },
    {
      id: 'kind',
      header: t`What`,
      cell: ({ kind, undid }) => (
        <span className="one-line">{undid === null ? KIND_WORDS[kind] : t`Undo of an import`}</span>
      ),
    },
    {
      id: 'name',
      header: t`Of`,
      cell: (run) => (
        <Box miw={110}>
          <RunName run={run} />
        </Box>
      ),
    },
    {
      id: 'outcome',
      header: t`Outcome`,
      cell: ({ place, outcome, undid }) => (
        <Group gap={6}>
          <Outcome of={undid === null ? outcome : 'done'} />
          {undone.has(place) && <Outcome of="undone" />}
        </Group>
      ),
    },
    {
      id: 'message',
      header: t`Message`,
      cell: ({ message }) => (
        <Text size="sm" lineClamp={2} className="wrap-anywhere" miw={200} title={message}>
          {message}
        </Text>
      ),
    },
    { id: 'more', header: t`More`, cell: (run) => <Details run={run} /> },
  ];
}

function Outcome({ of: outcome }: { readonly of: PastRun['outcome'] }) {
  return <StatusBadge tone={OUTCOME_TONES[outcome]}>{OUTCOME_WORDS[outcome]}</StatusBadge>;
}

/** Leads to what the run did, and to what of it failed. */
function Details({ run: { kind, id, place, outcome } }: { readonly run: PastRun }) {
  if (kind === 'plan') {
    return (
      <TextLink inherit to="/plans/$plan" params={{ plan: id }} className="one-line">
        <Trans>Changes</Trans>
      </TextLink>
    );
  }
  if (kind === 'playbook') {
    return (
      <TextLink inherit to="/playbooks/runs/$run" params={{ run: id }} className="one-line">
        <Trans>Output</Trans>
      </TextLink>
    );
  }
  return (
    <TextLink inherit to="/runs/$place" params={{ place }} className="one-line">
      {outcome === 'failed' || outcome === 'partial'
        ? t`What failed`
        : kind === 'import' && outcome !== 'undone'
          ? t`Changed hosts`
          : t`Details`}
    </TextLink>
  );
}
