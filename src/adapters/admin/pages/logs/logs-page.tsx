import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Group, Select, Stack, Switch, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { Turned } from '../parts/pager.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { LogEntries } from './log-entries.tsx';
import { olderNote, PAGE_SIZE } from './log-spans.ts';
import { LogTabs } from './log-tabs.tsx';
import { SaveEntries } from './save-entries.tsx';
import { SpanSelect, useSince } from './span-select.tsx';

const route = getRouteApi('/logs');
/** Seconds between requests for new entries, while the page is visible. */
const CALM_SECONDS = 10;
const FOLLOW_SECONDS = 2;

/** Shows what imports, exports, jobs and webhooks have logged, newest first. */
export function LogsPage() {
  const { source, errors, text, hours, follow, before } = route.useSearch();
  const wanted = useWanted();
  const page = useAnswer(
    'syncer/list-logs',
    { limit: PAGE_SIZE, ...wanted, ...(before === undefined ? {} : { before }) },
    before === undefined ? { everySeconds: follow === true ? FOLLOW_SECONDS : CALM_SECONDS } : {},
  );
  const isNarrowed = source !== undefined || errors !== undefined || text !== undefined || hours !== undefined;
  return (
    <Page title={t`Logs`}>
      <LogTabs shown="log">
        <Stack gap="sm">
          <Filters />
          <Answer of={page}>
            {({ entries, next }) => (
              <Turned
                of={t`the log`}
                note={olderNote(next, entries.length)}
                isStale={page.isPlaceholderData}
                at="before"
                next={next}
              >
                <LogEntries
                  entries={entries}
                  marksNew={before === undefined}
                  empty={isNarrowed || before !== undefined ? <NothingFound isWhole={next === null} /> : <Nothing />}
                />
              </Turned>
            )}
          </Answer>
        </Stack>
      </LogTabs>
    </Page>
  );
}

/** Returns the filters of the address, as input for the service. */
function useWanted() {
  const { source, errors, text, hours } = route.useSearch();
  const since = useSince(hours);
  return {
    ...(source === undefined ? {} : { source }),
    ...(errors === undefined ? {} : { errors }),
    ...(text === undefined ? {} : { text }),
    ...(since === undefined ? {} : { since }),
  };
}

function Filters() {
  const { source, errors, text, hours, follow } = route.useSearch();
  const wanted = useWanted();
  const navigate = route.useNavigate();
  const known = useAnswer('syncer/list-log-sources', {});
  const sources = known.data?.sources.map((one) => one.source) ?? [];

  function narrow(change: Partial<ReturnType<typeof route.useSearch>>): void {
    void navigate({ search: (now) => ({ ...now, before: undefined, ...change }), replace: true, resetScroll: false });
  }

  return (
    <Group align="flex-end" gap="sm">
      <SearchField
        label={t`Search`}
        w={280}
        placeholder={t`text in an entry or its details`}
        value={text ?? ''}
        onSearch={(wanted) => narrow({ text: wanted === '' ? undefined : wanted })}
      />
      <Select
        label={t`Source`}
        placeholder={t`All sources`}
        searchable
        clearable
        w={240}
        nothingFoundMessage={t`Nothing of that name has written to the log`}
        data={source === undefined || sources.includes(source) ? sources : [source, ...sources]}
        value={source ?? null}
        onChange={(wanted) => narrow({ source: wanted ?? undefined })}
      />
      <Switch
        label={t`Errors only`}
        mb={8}
        checked={errors === true}
        onChange={(event) => narrow({ errors: event.currentTarget.checked || undefined })}
      />
      <SpanSelect hours={hours} onChange={(span) => narrow({ hours: span })} />
      <Switch
        label={t`Follow`}
        title={t`Shows new entries every two seconds, while this page is looked at`}
        mb={8}
        checked={follow === true}
        onChange={(event) => narrow({ follow: event.currentTarget.checked || undefined })}
      />
      <SaveEntries of="syncer/list-logs" wanted={wanted} />
    </Group>
  );
}

function Nothing() {
  return (
    <Text c="dimmed" ta="center">
      <Trans>
        The log is empty. Imports, exports, cron groups and webhooks write to it; run one, for example{' '}
        <Code>muster import &lt;account&gt;</Code>.
      </Trans>
    </Text>
  );
}

function NothingFound({ isWhole }: { readonly isWhole: boolean }) {
  return (
    <Text c="dimmed" ta="center">
      {isWhole ? t`No entry matches. Remove a filter.` : t`No entry matches so far.`}
    </Text>
  );
}
