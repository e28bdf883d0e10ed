import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Checkbox, Flex, Group } from '@mantine/core';
import { IconFilter, IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { useLast } from '../calls/use-last.ts';
import { Answer } from '../parts/answer.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { ChooseColumns } from './choose-columns.tsx';
import { Conditions } from './conditions.tsx';
import { DownloadHosts } from './download-hosts.tsx';
import { DEFAULT_PROVIDER, FACETS, Facets, GROUP_FACET } from './facets.tsx';
import type { FoundHost } from './host.ts';
import { fieldsToAsk, hostColumns } from './host-columns.tsx';
import { HostFilters } from './host-filters.tsx';
import { HostPager } from './host-pager.tsx';
import { LeftOut } from './left-out.tsx';
import { NoHosts } from './no-hosts.tsx';
import { QueryNotes } from './query-notes.tsx';
import { SavedSearches } from './saved-searches.tsx';
import { PAGE_SIZES } from './search.ts';
import { useHostColumns } from './use-host-columns.ts';
import { useMayCreate } from './use-may-create.ts';

type FoundPage = OfferedOutput<'search/search-hosts'>;

const route = getRouteApi('/hosts');
const NOBODY: ReadonlySet<string> = new Set();
const FACETS_KEY = 'muster.hosts.facets';
const MORE_FACETS_KEY = 'muster.hosts.facets.more';
/** Facets take the place of rows on narrower windows, so somebody has to ask for them there. */
const WIDE = '(min-width: 62em)';

/** All hosts and objects that the person may see. */
export function HostsPage() {
  const { where, account, kind, state, provider, sort, after, rows = PAGE_SIZES[0] } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  const mayCreate = useMayCreate();
  const { columns: fields, choose } = useHostColumns();
  const [hasFacets, setFacets] = useState(
    () => matchMedia(WIDE).matches && localStorage.getItem(FACETS_KEY) !== 'closed',
  );
  const [more, setMore] = useState(() => namesIn(localStorage.getItem(MORE_FACETS_KEY)));
  const asked = {
    ...(where === undefined ? {} : { where }),
    ...(account === undefined ? {} : { account }),
    ...(kind === undefined ? {} : { kind }),
    ...(state === undefined ? {} : { state }),
    ...(provider === undefined ? {} : { provider }),
  };
  const sorted = sort === undefined ? {} : { sort };
  const found = useAnswer('search/search-hosts', {
    limit: rows,
    inventory: false,
    columns: [...fieldsToAsk(fields)],
    ...asked,
    ...sorted,
    ...(after === undefined ? {} : { after }),
  });
  const lastPage = useLast(found.data);
  // While a condition is being typed, such as `site:` without a value yet, the list stays and the field says what is missing.
  const isUnread = where !== undefined && found.error?.code === 'invalid_input' && lastPage !== undefined;
  // The first hosts are there before all of them are counted.
  const counted = useAnswer(
    'search/count-hosts',
    { ...asked, ...(hasFacets ? { ...FACETS, fields: [...FACETS.fields, ...more] } : {}) },
    { enabled: hasFacets || where !== undefined },
  );
  const lastCounts = useLast(counted.data);
  const counts = isUnread ? lastCounts : counted.data;
  const ofGroups = useAnswer(
    'search/count-hosts',
    { ...asked, ...GROUP_FACET },
    { enabled: hasFacets && may(session, 'inventory/browse-inventory'), freshSeconds: 60 },
  );
  const providers = useAnswer(
    'inventory/list-providers',
    {},
    { enabled: hasFacets && may(session, 'inventory/list-providers'), freshSeconds: 60 },
  );
  const shown = useMemo(
    () => (state === undefined || fields.includes('archived') ? fields : ['archived', ...fields]),
    [fields, state],
  );
  const key = JSON.stringify(asked);
  const [selection, setSelection] = useState({ key, names: NOBODY });
  // What is selected is among what is shown: another query begins with nothing selected.
  const selected = selection.key === key ? selection.names : NOBODY;
  const select = (names: Iterable<string>): void => setSelection({ key, names: new Set(names) });
  const canSelect = may(session, 'hosts/archive-hosts');
  const columns = useMemo(() => hostColumns(shown, labelAskedFor(where)), [shown, where]);
  const selectColumn: Column<FoundHost> = {
    id: 'select',
    header: t`Select`,
    isHeaderHidden: true,
    isNotPrinted: true,
    cell: ({ hostname }) => (
      <Checkbox
        size="xs"
        aria-label={t`Select ${hostname}`}
        checked={selected.has(hostname)}
        onChange={(event) => {
          const others = [...selected].filter((name) => name !== hostname);
          select(event.currentTarget.checked ? [...others, hostname] : others);
        }}
      />
    ),
  };

  function ask(conditions: readonly string[]): void {
    const text = conditions.join(' ');
    void navigate({
      search: (now) => ({ ...now, after: undefined, where: text === '' ? undefined : text }),
      resetScroll: false,
    });
  }

  /** Conditions of an answer that is on its way are not known yet. */
  function toggle(condition: string): void {
    const { data, isPlaceholderData } = found;
    if (data === undefined || isPlaceholderData) return;
    const others = data.conditions.filter((other) => other !== condition);
    ask(others.length < data.conditions.length ? others : [...others, condition]);
  }

  function toggleState(wanted: 'active' | 'archived'): void {
    const isAlone = statesOf(state).join() === wanted;
    const next = isAlone ? 'any' : wanted;
    void navigate({
      search: (now) => ({ ...now, after: undefined, state: next === 'active' ? undefined : next }),
      resetScroll: false,
    });
  }

  function chooseProvider(chosen: string): void {
    void navigate({
      search: (now) => ({ ...now, after: undefined, provider: chosen === DEFAULT_PROVIDER ? undefined : chosen }),
      resetScroll: false,
    });
  }

  function toggleFacets(): void {
    localStorage.setItem(FACETS_KEY, hasFacets ? 'closed' : 'open');
    setFacets(!hasFacets);
  }

  function chooseMore(chosen: readonly string[]): void {
    localStorage.setItem(MORE_FACETS_KEY, chosen.join('\n'));
    setMore(chosen);
  }

  const list = (page: FoundPage): ReactNode => (
    <>
      <Group justify="space-between" gap="xs" mt="xs">
        <Conditions conditions={page.conditions} onChange={ask} />
        <Group gap="xs" ml="auto">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFilter size={14} aria-hidden />}
            aria-expanded={hasFacets}
            onClick={toggleFacets}
          >
            <Trans>Facets</Trans>
          </Button>
          <ChooseColumns
            columns={fields}
            choose={choose}
            labels={counts?.label_names.map(({ field }) => field) ?? []}
          />
          <SavedSearches asked={{ ...asked, ...sorted }} columns={fields} />
          <DownloadHosts asked={{ ...asked, ...sorted, columns: ['name', ...fields] }} />
        </Group>
      </Group>
      <QueryNotes conditions={page.conditions} isEarlier={isUnread} />
      <LeftOut hosts={page.left_out} />
      <Flex direction={{ base: 'column', md: 'row' }} gap="lg" align="flex-start" mt="xs">
        {hasFacets && counts !== undefined && (
          <Box w={{ base: '100%', md: 190 }} flex="none">
            <Facets
              counted={counts}
              groups={ofGroups.data?.fields[0]}
              provider={provider ?? DEFAULT_PROVIDER}
              providers={providers.data?.providers.map(({ name }) => name) ?? []}
              chooseProvider={chooseProvider}
              toggle={toggle}
              states={statesOf(state)}
              toggleState={toggleState}
              more={more}
              chooseMore={chooseMore}
            />
          </Box>
        )}
        <Box
          flex="1 1 0"
          miw={0}
          w="100%"
          aria-busy={found.isPlaceholderData}
          opacity={found.isPlaceholderData || isUnread ? 0.6 : 1}
        >
          <HostPager page={page} count={where === undefined ? undefined : counts} place="above" />
          <BulkActions
            selected={selected}
            select={select}
            page={page.hosts.map(({ hostname }) => hostname)}
            asked={asked}
            acts={
              state === undefined ? ['archive'] : state === 'archived' ? ['restore', 'purge'] : ['archive', 'restore']
            }
          />
          <DataTable
            caption={t`Hosts`}
            columns={canSelect ? [selectColumn, ...columns] : columns}
            rows={page.hosts}
            rowKey={(host) => host.hostname}
            order={{
              sort: sort ?? 'name',
              onSort: (by) =>
                void navigate({
                  search: (now) => ({ ...now, after: undefined, sort: by === 'name' ? undefined : by }),
                  resetScroll: false,
                }),
            }}
            empty={isUnread ? t`The search before found no host.` : <NoHosts hasMore={page.next !== null} />}
          />
          {page.hosts.length > 15 && <HostPager page={page} place="below" />}
        </Box>
      </Flex>
    </>
  );

  return (
    <Page
      title={t`Hosts`}
      actions={
        <>
          {may(session, 'search/report-quality') && (
            <ButtonLink to="/hosts/quality" variant="default">
              <Trans>Data quality</Trans>
            </ButtonLink>
          )}
          {mayCreate && (
            <ButtonLink to="/hosts/new" search={{ account }} leftSection={<IconPlus size={16} aria-hidden />}>
              <Trans>New host</Trans>
            </ButtonLink>
          )}
        </>
      }
    >
      <HostFilters problem={isUnread ? found.error?.message : undefined} />
      {isUnread ? list(lastPage) : <Answer of={found}>{list}</Answer>}
    </Page>
  );
}

function statesOf(state: 'archived' | 'any' | undefined): readonly ('active' | 'archived')[] {
  return state === 'any' ? ['active', 'archived'] : [state ?? 'active'];
}

function labelAskedFor(where: string | undefined): string | undefined {
  return where?.match(/^-?([^\s:=<>~!]+)\s*[:=<>~!]/)?.[1];
}

function namesIn(stored: string | null): readonly string[] {
  return stored === null || stored === '' ? [] : stored.split('\n');
}
