import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAnswer } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';
import { Answer } from '../parts/answer.tsx';
import { cell } from '../parts/cells.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { ReportTable } from '../parts/report-table.tsx';
import { pageOfSearch, type SavedSearch } from '../parts/saved-search.ts';
import { fieldText } from '../parts/value-text.ts';

type FoundHost = OfferedOutput<'search/search-hosts'>['hosts'][number];

const SHOWN_HOSTS = 10;
const SHOWN_COLUMNS = 3;
const SHOWN_VALUES = 10;
/** Seconds after which a dashboard that stays open is refreshed, and for which an answer is kept. */
const FRESH = { everySeconds: 60, freshSeconds: 30 };

/** Current result of a saved search, as a number, a list or a report. */
export function Tile({ search }: { readonly search: SavedSearch }) {
  if (search.rows !== undefined) return <ReportTile search={search} rows={search.rows} />;
  return search.show === 'number' ? <NumberTile search={search} /> : <HostsTile search={search} />;
}

function askedOf({ where, kind, state, account, provider }: SavedSearch) {
  return {
    where,
    ...(kind !== undefined && { kind }),
    ...(state !== undefined && { state }),
    ...(account !== undefined && { account }),
    ...(provider !== undefined && { provider }),
  };
}

function NumberTile({ search }: { readonly search: SavedSearch }) {
  const counted = useAnswer('search/count-hosts', askedOf(search), FRESH);
  return (
    <Answer of={counted}>
      {({ size, is_exact }) => (
        <Text fz="2.5rem" fw={600} lh={1.2}>
          <TextLink
            {...pageOfSearch(search)}
            underline="never"
            aria-label={t`${search.name}: ${numberText(size)} hosts`}
          >
            {is_exact ? numberText(size) : t`at least ${numberText(size)}`}
          </TextLink>
        </Text>
      )}
    </Answer>
  );
}

function ReportTile({ search, rows }: { readonly search: SavedSearch; readonly rows: string }) {
  const by = search.by === undefined ? {} : { columns: search.by };
  const report = useAnswer('search/report-hosts', { ...askedOf(search), rows, ...by, values: SHOWN_VALUES }, FRESH);
  return <Answer of={report}>{(answer) => <ReportTable report={answer} where={search.where} />}</Answer>;
}

function HostsTile({ search }: { readonly search: SavedSearch }) {
  const fields = search.columns.filter((field) => field !== 'name' && field !== 'labels').slice(0, SHOWN_COLUMNS);
  const found = useAnswer(
    'search/search-hosts',
    {
      ...askedOf(search),
      ...(search.sort !== null && { sort: search.sort }),
      columns: fields,
      inventory: false,
      limit: SHOWN_HOSTS,
    },
    FRESH,
  );
  const columns = [
    cell.link<FoundHost>('name', t`Hostname`, ({ hostname }) => (
      <TextLink to="/hosts/$hostname" params={{ hostname }}>
        {hostname}
      </TextLink>
    )),
    ...fields.map((field) => cell.text<FoundHost>(field, field, ({ values }) => fieldText(values?.[field]))),
  ];
  return (
    <Answer of={found}>
      {({ hosts, next }) => (
        <>
          <DataTable
            caption={search.name}
            columns={columns}
            rows={hosts}
            rowKey={({ hostname }) => hostname}
            empty={<Trans>The search finds no host.</Trans>}
          />
          {next !== null && (
            <Text size="sm" mt="xs">
              <TextLink {...pageOfSearch(search)}>
                <Trans>All of them</Trans>
              </TextLink>
            </Text>
          )}
        </>
      )}
    </Answer>
  );
}
