import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Flex, Group, NativeSelect, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { IconListSearch, IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { useLast } from '../calls/use-last.ts';
import { numberText } from '../language/numbers.ts';
import { Answer } from '../parts/answer.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { isoOf } from '../parts/moments.ts';
import { Page } from '../parts/page.tsx';
import { TurnPages } from '../parts/pager.tsx';
import { selectColumn, useSelection } from '../parts/selection.tsx';
import { When } from '../parts/when.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { ChooseColumns } from './choose-columns.tsx';
import { Conditions } from './conditions.tsx';
import { DownloadHosts } from './download-hosts.tsx';
import { DEFAULT_PROVIDER, FACETS, Facets, GROUP_FACET } from './facets.tsx';
import type { FoundHost } from './host.ts';
import { fieldsToAsk, hostColumns } from './host-columns.tsx';
import { HostFilters } from './host-filters.tsx';
import { LeftOut, NotFound } from './left-out.tsx';
import { MakeRule } from './make-rule.tsx';
import { NoHosts } from './no-hosts.tsx';
import { QueryField } from './query-field.tsx';
import { QueryNotes } from './query-notes.tsx';
import { SavedSearches } from './saved-searches.tsx';
import { PAGE_SIZES } from './search.ts';
import { Tool } from './tool.tsx';
import { useHostColumns } from './use-host-columns.ts';
import { useMayCreate } from './use-may-create.ts';

type FoundPage = OfferedOutput<'search/search-hosts'>;

const route = getRouteApi('/hosts');
const FACETS_KEY = 'muster.hosts.facets';
const MORE_FACETS_KEY = 'muster.hosts.facets.more';
/** Served values are computed host by host: the page shows the hosts found so far and asks again until all are checked. */
const PATIENCE_SECONDS = 0.2;
const PAUSE_SECONDS = 0.1;
/** On narrower windows facets replace the rows, so they appear only on request. */
const WIDE = '(min-width: 62em)';

/** Lists all hosts and objects that the user may see. */
export function HostsPage() {
  const { where, account, kind, state, provider, sort, after, rows = PAGE_SIZES[0] } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  const mayCreate = useMayCreate();
  const { columns: fields, isDefault, choose } = useHostColumns();
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
  const found = useAnswer(
    'search/search-hosts',
    {
      limit: rows,
      inventory: false,
      columns: [...fieldsToAsk(fields)],
      ...asked,
      ...sorted,
      ...(after === undefined ? {} : { after }),
      ...(where?.includes('served.') && { seconds: PATIENCE_SECONDS }),
    },
    { everySeconds: (page) => (page?.looked === undefined ? 0 : PAUSE_SECONDS) },
  );
  const lastPage = useLast(found.data);
  // While a condition is being typed, such as `site:` without a value yet, the list stays and the field names the missing part.
  const isUnread = where !== undefined && found.error?.code === 'invalid_input' && lastPage !== undefined;
  // Counting reads all hosts and would slow down the first rows, so it starts after them.
  const isThere = found.isSuccess && !found.isPlaceholderData && found.data.looked === undefined;
  const counted = useAnswer(
    'search/count-hosts',
    { ...asked, ...(hasFacets ? { ...FACETS, fields: [...FACETS.fields, ...more] } : {}) },
    { enabled: isThere && (hasFacets || where !== undefined) },
  );
  const lastCounts = useLast(counted.data);
  const counts = isUnread ? lastCounts : counted.data;
  const isCounted = counted.isSuccess && !counted.isPlaceholderData;
  const ofGroups = useAnswer(
    'search/count-hosts',
    { ...asked, ...GROUP_FACET },
    { enabled: isCounted && hasFacets && may(session, 'inventory/browse-inventory'), freshSeconds: 60 },
  );
  const providers = useAnswer(
    'inventory/list-providers',
    {},
    { enabled: hasFacets && may(session, 'inventory/list-providers'), freshSeconds: 60 },
  );
  const hosts = found.data?.hosts ?? [];
  // One line above the list replaces the column if all rows agree.
  const seen = isDefault && sort === undefined ? seenTogether(hosts) : undefined;
  const shown = useMemo(() => {
    const others = seen === undefined ? fields : fields.filter((field) => field !== 'seen');
    return state === undefined || others.includes('archived') ? others : ['archived', ...others];
  }, [fields, state, seen]);
  const selection = useSelection(
    JSON.stringify(asked),
    hosts.map(({ hostname }) => hostname),
  );
  const canSelect = may(session, 'hosts/archive-hosts');
  const columns = useMemo(() => hostColumns(shown, labelAskedFor(where)), [shown, where]);

  function ask(conditions: readonly string[]): void {
    const text = conditions.join(' ');
    void navigate({
      search: (now) => ({ ...now, after: undefined, where: text === '' ? undefined : text }),
      resetScroll: false,
    });
  }

  /** The conditions are unknown while an answer is pending. */
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
      <Conditions conditions={page.conditions} onChange={ask} />
      <QueryNotes conditions={page.conditions} isEarlier={isUnread} />
      <LeftOut hosts={page.left_out} />
      {!isUnread && <NotFound found={page.not_found ?? (isCounted ? counts?.not_found : undefined)} />}
      <Flex direction={{ base: 'column', md: 'row' }} gap="md" align="flex-start">
        <Box
          flex="1 1 0"
          miw={0}
          w="100%"
          className="host-list"
          aria-busy={found.isPlaceholderData}
          opacity={found.isPlaceholderData || isUnread ? 0.6 : 1}
        >
          <Group justify="space-between" gap="xs" className="list-bar">
            <Text size="sm" c="dimmed" component="div">
              <span role="status">
                {summary(page, rows, where === undefined || !isCounted ? undefined : counts, after !== undefined)}
              </span>
              {seen !== undefined && selection.selected.size === 0 && (
                <>
                  {' · '}
                  <Trans>
                    last seen <When at={seen} />
                  </Trans>
                </>
              )}
            </Text>
            <BulkActions
              selected={selection.selected}
              select={selection.select}
              page={page.hosts.map(({ hostname }) => hostname)}
              asked={asked}
              acts={
                state === undefined ? ['archive'] : state === 'archived' ? ['restore', 'purge'] : ['archive', 'restore']
              }
            />
          </Group>
          <DataTable
            caption={t`Hosts`}
            columns={canSelect ? [selectColumn<FoundHost>(selection, ({ hostname }) => hostname), ...columns] : columns}
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
            empty={
              isUnread ? (
                t`The search before found no host.`
              ) : (
                <NoHosts hasMore={page.next !== null} isLooking={page.looked !== undefined} />
              )
            }
          />
          {page.looked === undefined &&
            (after !== undefined || page.next !== null || page.hosts.length > PAGE_SIZES[0]) && (
              <TurnPages of={t`hosts`} at="after" next={page.next}>
                <NativeSelect
                  size="xs"
                  aria-label={t`Hosts on a page`}
                  data={PAGE_SIZES.map((size) => ({ value: String(size), label: t`${size} a page` }))}
                  value={String(rows)}
                  onChange={({ currentTarget: { value } }) => {
                    const chosen = PAGE_SIZES.find((size) => String(size) === value);
                    void navigate({
                      search: (now) => ({ ...now, rows: chosen === PAGE_SIZES[0] ? undefined : chosen }),
                      resetScroll: false,
                    });
                  }}
                />
              </TurnPages>
            )}
        </Box>
        {/* After the list in the tab order, which takes three keys to reach it. */}
        {hasFacets && !(counts === undefined && counted.isError) && (
          <Box
            w={{ base: '100%', md: 180 }}
            flex="none"
            className="host-facets"
            aria-busy={!isCounted}
            opacity={isCounted || isUnread ? 1 : 0.6}
          >
            {counts === undefined ? (
              <Skeleton h={160} aria-hidden />
            ) : (
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
            )}
          </Box>
        )}
      </Flex>
    </>
  );

  return (
    <Page
      title={t`Hosts`}
      actions={
        <>
          {may(session, 'search/report-hosts') && (
            <ButtonLink to="/hosts/report" search={{ where }} variant="default">
              <Trans>Report</Trans>
            </ButtonLink>
          )}
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
      <Flex gap="xs" wrap="wrap" align="flex-start" pos="relative">
        <Box flex="1 1 20rem">
          <QueryField
            value={where ?? ''}
            problem={isUnread ? found.error?.message : undefined}
            isSearching={found.isFetching}
            onSearch={(text) =>
              void navigate({
                search: (now) => ({ ...now, after: undefined, where: text === '' ? undefined : text }),
                replace: where !== undefined,
                resetScroll: false,
              })
            }
          />
        </Box>
        <UnstyledButton className="skip-link" onClick={toFirstHost}>
          <Trans>Go to the first host</Trans>
        </UnstyledButton>
        <HostFilters />
        <Tool icon={IconListSearch} label={t`Facets`} aria-expanded={hasFacets} onClick={toggleFacets} />
        <ChooseColumns columns={fields} choose={choose} labels={counts?.label_names.map(({ field }) => field) ?? []} />
        <SavedSearches asked={{ ...asked, ...sorted }} columns={fields} />
        <MakeRule asked={asked} />
        <DownloadHosts asked={{ ...asked, ...sorted, columns: ['name', ...fields] }} />
      </Flex>
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

function toFirstHost(): void {
  document.querySelector<HTMLElement>('.host-list tbody a')?.focus();
}

const TOGETHER_MS = 60_000;

/** Returns the time at which all of them were seen, if it is the same: a source is read as a whole. */
function seenTogether(hosts: readonly FoundHost[]): string | undefined {
  const [first] = hosts;
  if (first === undefined || first.last_seen === false || hosts.length < 2) return undefined;
  const times = hosts.map(({ last_seen: at }) => (at === false ? 0 : Date.parse(isoOf(at))));
  return Math.max(...times) - Math.min(...times) < TOGETHER_MS ? first.last_seen : undefined;
}

function summary(
  { size, next, hosts, looked }: FoundPage,
  rows: number,
  count: OfferedOutput<'search/count-hosts'> | undefined,
  isLater: boolean,
): string {
  const found = numberText(count?.size ?? hosts.length);
  if (looked !== undefined) return t`${found} found so far; ${{ looked: numberText(looked) }} hosts checked…`;
  if (count !== undefined) return count.is_exact ? t`${found} found` : t`${found} found, and more`;
  if (size !== null) {
    const all = numberText(size);
    return t`${all} in all`;
  }
  if (hosts.length < rows && next !== null) return t`Searched up to ${next}; the next page continues`;
  if (next !== null) return t`${found} found, and more on the next page`;
  return isLater ? t`${found} found on this last page` : t`${found} found`;
}
