import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Select, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../calls/use-call.ts';
import { cell } from '../parts/cells.tsx';
import type { Column } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { List } from '../parts/list.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { RunName } from './run-name.tsx';
import { KIND_WORDS, OUTCOME_TONES, OUTCOME_WORDS, type PastRun } from './run-words.ts';
import { RUN_KINDS, RUN_OUTCOMES, type RunsSearch } from './search.ts';

const route = getRouteApi('/runs');
const PAGE_SIZE = 50;

/** Lists past runs, filtered as in the address. */
export function PastRuns() {
  const { kind, account, outcome, before } = route.useSearch();
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
    <List
      of={page}
      controls={<Filters />}
      caption={t`Past runs`}
      minWidth={860}
      columns={columnsOf(new Set(page.data?.runs.flatMap(({ undid }) => undid ?? [])))}
      rows={({ runs }) => runs}
      rowKey={({ place }) => place}
      pages={({ next }) => ({ of: t`runs`, at: 'before', next })}
      empty={({ next }) =>
        next !== null
          ? t`Nothing found so far: continue with "Older".`
          : isNarrowed
            ? t`No run matches. Remove a filter.`
            : before === undefined
              ? t`Nothing has run yet.`
              : t`There are no older runs.`
      }
    />
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
    <>
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
    </>
  );
}

/** `undone`: places of imports that one of the shown runs undid. */
function columnsOf(undone: ReadonlySet<string>): readonly Column<PastRun>[] {
  return [
    cell.when('at', t`When`, ({ at }) => at),
    {
      id: 'kind',
      header: t`Kind`,
      cell: ({ kind, undid }) => (
        <span className="one-line">{undid === null ? KIND_WORDS[kind] : t`Undo of an import`}</span>
      ),
    },
    cell.link('name', t`Of`, (run) => <RunName run={run} />),
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
    cell.text('message', t`Message`, ({ message }) => (
      <Text inherit lineClamp={2} miw={200} title={message}>
        {message}
      </Text>
    )),
    { id: 'more', header: t`More`, cell: (run) => <Details run={run} /> },
  ];
}

function Outcome({ of: outcome }: { readonly of: PastRun['outcome'] }) {
  return <StatusBadge tone={OUTCOME_TONES[outcome]}>{OUTCOME_WORDS[outcome]}</StatusBadge>;
}

/** Links to the effects of the run, and to its failures. */
function Details({ run: { kind, id, place, outcome } }: { readonly run: PastRun }) {
  if (kind === 'plan') {
    return (
      <TextLink to="/plans/$plan" params={{ plan: id }} className="one-line">
        <Trans>Changes</Trans>
      </TextLink>
    );
  }
  if (kind === 'playbook') {
    return (
      <TextLink to="/playbooks/runs/$run" params={{ run: id }} className="one-line">
        <Trans>Output</Trans>
      </TextLink>
    );
  }
  return (
    <TextLink to="/runs/$place" params={{ place }} className="one-line">
      {outcome === 'failed' || outcome === 'partial'
        ? t`Failures`
        : kind === 'import' && outcome !== 'undone'
          ? t`Changed hosts`
          : t`Details`}
    </TextLink>
  );
}
