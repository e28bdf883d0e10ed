import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Autocomplete, Box, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { LeftOut } from '../hosts/left-out.tsx';
import { Answer } from '../parts/answer.tsx';
import { TextLink } from '../parts/links.tsx';
import { dayStart, searchedDayStart, today, type Zone, zoneName } from '../parts/moments.ts';
import { Page } from '../parts/page.tsx';
import { Turned } from '../parts/pager.tsx';
import { usePreferences } from '../parts/preferences.ts';
import { SearchField } from '../parts/search-field.tsx';
import { ChangeList } from './change-list.tsx';
import { DayChoices } from './day-choices.tsx';
import { CHANGE_KINDS, type ChangesSearch, dayAfter, hoursOf, KIND_WORDS } from './search.ts';

const route = getRouteApi('/changes');
const PAGE_SIZE = 50;

/** Changes of any host, with the values before and after. */
export function ChangesPage() {
  const session = useSession();
  const { where, field, from, to, by, kind, before } = route.useSearch();
  const { zone } = usePreferences();
  const page = useAnswer(
    'hosts/list-changes',
    {
      limit: PAGE_SIZE,
      ...(where === undefined ? {} : { where }),
      ...(field === undefined ? {} : { field }),
      ...(from === undefined ? {} : { from: startOf(from, zone) }),
      ...(to === undefined ? {} : { until: dayStart(dayAfter(to), zone) }),
      ...(by === undefined ? {} : { by }),
      ...(kind === undefined ? {} : { kind }),
      ...(before === undefined ? {} : { before }),
    },
    before === undefined && to === undefined ? { everySeconds: 30 } : {},
  );
  return (
    <Page title={t`Changes`} description={t`Changes to hosts, newest first, with the values before and after`}>
      <Filters />
      {may(session, 'search/search-hosts') && (
        <Text size="sm" c="dimmed">
          <NewHosts from={from} to={to} zone={zone} />
        </Text>
      )}
      {((from !== undefined && hoursOf(from) === undefined) || to !== undefined) && (
        <Text size="sm" c="dimmed">
          {t`Days are those of ${{ zone: zoneName(zone) }}.`}
        </Text>
      )}
      <Answer of={page}>
        {({ changes, next, left_out }) => (
          <Turned of={t`changes`} isStale={page.isPlaceholderData} at="before" next={next}>
            <Text size="sm" c="dimmed" role="status" mb="xs">
              {foundText(changes.length, next === null)}
            </Text>
            <LeftOut hosts={left_out} />
            <ChangeList changes={changes} field={field} />
          </Turned>
        )}
      </Answer>
    </Page>
  );
}

/** Whole minutes, so that the same question is not a new one with each look at the page. */
function startOf(from: string, zone: Zone): string {
  const hours = hoursOf(from);
  if (hours === undefined) return dayStart(from, zone);
  return `${new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 16)}Z`;
}

/** Link to new hosts, which do not count as changes. */
interface NewHostsProps {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly zone: Zone;
}

function NewHosts({ from, to, zone }: NewHostsProps) {
  if (from === undefined) {
    const start = searchedDayStart(today(zone), zone);
    return (
      <Trans>
        New hosts are listed under{' '}
        <TextLink inherit to="/hosts" search={{ where: `created>=${start}`, sort: '-created' }}>
          Hosts created today
        </TextLink>
        .
      </Trans>
    );
  }
  const end = to === undefined ? '' : ` created<${searchedDayStart(dayAfter(to), zone)}`;
  const isHours = hoursOf(from) !== undefined;
  const where = `${isHours ? `created<${from}` : `created>=${searchedDayStart(from, zone)}`}${end}`;
  return (
    <Trans>
      New hosts are listed under{' '}
      <TextLink inherit to="/hosts" search={{ where, sort: '-created' }}>
        {daysText(from, to)}
      </TextLink>
      .
    </Trans>
  );
}

function daysText(from: string, to: string | undefined): string {
  const hours = hoursOf(from);
  if (hours !== undefined)
    return plural(hours, { one: 'Hosts created in the last hour', other: 'Hosts created in the last # hours' });
  if (to === undefined) return t`Hosts created since ${from}`;
  return from === to ? t`Hosts created on ${from}` : t`Hosts created from ${from} to ${to}`;
}

function foundText(count: number, isEnd: boolean): string {
  if (count === 0) return isEnd ? t`No change matches.` : t`No change matches so far: continue with "Older".`;
  if (isEnd) return plural(count, { one: '# change', other: '# changes' });
  return plural(count, { one: '# change, and older ones', other: '# changes, and older ones' });
}

function Filters() {
  const { where, field, from, to, by, kind } = route.useSearch();
  const session = useSession();
  const navigate = route.useNavigate();
  const accounts = useAnswer('syncer/list-account-runs', {}, { enabled: may(session, 'syncer/list-account-runs') });
  const names = accounts.data?.runs.map(({ name }) => `account:${name}`) ?? [];

  function narrow(change: Omit<ChangesSearch, 'before'>): void {
    void navigate({ search: (now) => ({ ...now, before: undefined, ...change }), replace: true, resetScroll: false });
  }

  const { zone } = usePreferences();
  const day = hoursOf(from) === undefined ? from : undefined;
  return (
    <Stack gap="xs">
      <Group gap="sm" align="flex-end">
        <Box flex="2 1 13rem">
          <SearchField
            label={t`Hosts`}
            placeholder={t`web, site:fra, cpus>=8`}
            title={t`Only changes of hosts that this finds now, archived ones too; written as in the search for hosts`}
            maxLength={10_000}
            value={where ?? ''}
            onSearch={(text) => narrow({ where: text === '' ? undefined : text })}
          />
        </Box>
        <FieldFilter key={field ?? ''} field={field} onField={(wanted) => narrow({ field: wanted })} />
        <TextInput
          type="date"
          label={t`Since`}
          flex="0 1 9.25rem"
          value={day ?? ''}
          max={to}
          onChange={({ currentTarget }) => narrow({ from: currentTarget.value || undefined })}
        />
        <TextInput
          type="date"
          label={t`Until`}
          title={t`The last day that counts`}
          flex="0 1 9.25rem"
          value={to ?? ''}
          min={day}
          onChange={({ currentTarget }) => narrow({ to: currentTarget.value || undefined })}
        />
        <Select
          label={t`Kind of change`}
          placeholder={t`Anything`}
          clearable
          flex="0 1 9.25rem"
          data={CHANGE_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
          value={kind ?? null}
          onChange={(wanted) => narrow({ kind: CHANGE_KINDS.find((one) => one === wanted) })}
        />
        <Select
          label={t`By`}
          placeholder={t`Anybody`}
          searchable
          clearable
          flex="0 1 11rem"
          nothingFoundMessage={t`No account of that name`}
          data={[...new Set([...names, ...(by === undefined ? [] : [by])])]}
          value={by ?? null}
          onChange={(wanted) => narrow({ by: wanted ?? undefined })}
        />
      </Group>
      <DayChoices from={from} to={to} zone={zone} onChoose={narrow} />
    </Stack>
  );
}

/** Fields of a host itself, as opposed to its labels. */
const OWN_FIELDS = ['labels', 'inventory', 'account', 'archive', 'hostname'];

interface FieldFilterProps {
  readonly field: string | undefined;
  readonly onField: (field: string | undefined) => void;
}

/** A label or another field; the names that hosts have are offered. */
function FieldFilter({ field, onField }: FieldFilterProps) {
  const [text, setText] = useState(field ?? '');
  const [isUsed, setUsed] = useState(false);
  const isOffered = may(useSession(), 'search/count-hosts');
  const counted = useAnswer(
    'search/count-hosts',
    { labels: 1, values: 1 },
    { enabled: isUsed && isOffered, freshSeconds: 60 },
  );
  const labels = counted.data?.label_names.map(({ field: name }) => name) ?? [];
  const choose = (wanted: string): void => {
    const next = wanted.trim() || undefined;
    if (next !== field) onField(next);
  };
  return (
    <Autocomplete
      label={t`Field`}
      placeholder={t`any label`}
      flex="1 1 9rem"
      maxLength={500}
      clearable
      limit={40}
      data={[...new Set([...OWN_FIELDS, ...labels])]}
      value={text}
      onFocus={() => setUsed(true)}
      onChange={(next) => {
        setText(next);
        if (next === '') choose('');
      }}
      onOptionSubmit={choose}
      onBlur={() => choose(text)}
      onKeyDown={({ key }) => key === 'Enter' && choose(text)}
    />
  );
}
