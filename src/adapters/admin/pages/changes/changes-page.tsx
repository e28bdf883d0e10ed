import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Select, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { TextLink } from '../parts/links.tsx';
import { NewestFirst } from '../parts/newest-first.tsx';
import { Page } from '../parts/page.tsx';
import { ChangeList } from './change-list.tsx';
import { CHANGE_KINDS, type ChangesSearch, KIND_WORDS } from './search.ts';

const route = getRouteApi('/changes');
const PAGE_SIZE = 50;

/** What changed at any host, with the values before and after. */
export function ChangesPage() {
  const session = useSession();
  const { from, by, kind, before } = route.useSearch();
  const navigate = route.useNavigate();
  const page = useAnswer(
    'hosts/list-changes',
    {
      limit: PAGE_SIZE,
      ...(from === undefined ? {} : { from }),
      ...(by === undefined ? {} : { by }),
      ...(kind === undefined ? {} : { kind }),
      ...(before === undefined ? {} : { before }),
    },
    before === undefined ? { everySeconds: 30 } : {},
  );
  return (
    <Page title={t`Changes`} description={t`What changed at hosts, newest first, with the values before and after`}>
      <Filters />
      {may(session, 'search/search-hosts') && (
        <Text size="sm" c="dimmed">
          <NewHosts from={from} />
        </Text>
      )}
      <Answer of={page}>
        {({ changes, next }) => (
          <NewestFirst
            of={t`changes`}
            isStale={page.isPlaceholderData}
            before={before}
            next={next}
            go={(place, state) => void navigate({ search: (now) => ({ ...now, before: place }), state })}
          >
            <Text size="sm" c="dimmed" role="status" mb="xs">
              {foundText(changes.length, next === null)}
            </Text>
            <ChangeList changes={changes} />
          </NewestFirst>
        )}
      </Answer>
    </Page>
  );
}

/** Where hosts are that are new, which is no change. */
function NewHosts({ from }: { readonly from: string | undefined }) {
  if (from === undefined) {
    return (
      <Trans>
        New hosts are listed under{' '}
        <TextLink inherit to="/hosts" search={{ where: 'created>=today', sort: '-created' }}>
          Hosts created today
        </TextLink>
        .
      </Trans>
    );
  }
  return (
    <Trans>
      New hosts are listed under{' '}
      <TextLink inherit to="/hosts" search={{ where: `created>=${from}`, sort: '-created' }}>
        Hosts created since {from}
      </TextLink>
      .
    </Trans>
  );
}

function foundText(count: number, isEnd: boolean): string {
  if (count === 0) return isEnd ? t`No change matches.` : t`No change matches so far: continue with "Older".`;
  if (isEnd) return plural(count, { one: '# change', other: '# changes' });
  return plural(count, { one: '# change, and older ones', other: '# changes, and older ones' });
}

function Filters() {
  const { from, by, kind } = route.useSearch();
  const session = useSession();
  const navigate = route.useNavigate();
  const accounts = useAnswer('syncer/list-account-runs', {}, { enabled: may(session, 'syncer/list-account-runs') });
  const names = accounts.data?.runs.map(({ name }) => `account:${name}`) ?? [];

  function narrow(change: Omit<ChangesSearch, 'before'>): void {
    void navigate({ search: (now) => ({ ...now, before: undefined, ...change }), replace: true, resetScroll: false });
  }

  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        type="date"
        label={t`Since`}
        w={170}
        value={from ?? ''}
        onChange={({ currentTarget }) => narrow({ from: currentTarget.value || undefined })}
      />
      <Select
        label={t`What`}
        placeholder={t`Anything`}
        clearable
        w={170}
        data={CHANGE_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
        value={kind ?? null}
        onChange={(wanted) => narrow({ kind: CHANGE_KINDS.find((one) => one === wanted) })}
      />
      <Select
        label={t`By`}
        placeholder={t`Anybody`}
        searchable
        clearable
        w={240}
        nothingFoundMessage={t`No account of that name`}
        data={[...new Set([...names, ...(by === undefined ? [] : [by])])]}
        value={by ?? null}
        onChange={(wanted) => narrow({ by: wanted ?? undefined })}
      />
    </Group>
  );
}
