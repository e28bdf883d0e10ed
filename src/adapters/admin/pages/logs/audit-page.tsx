import { t } from '@lingui/core/macro';
import { Box, Group, Stack, Switch, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { When } from '../parts/when.tsx';
import { detailsText, operationWords, outcomeTone, outcomeWords, subjectPage, subjectText } from './audit-words.ts';
import { LogTabs } from './log-tabs.tsx';
import { OlderNewer } from './older-newer.tsx';
import { SaveEntries } from './save-entries.tsx';
import { SpanSelect, useSince } from './span-select.tsx';

type Entry = OfferedOutput<'syncer/list-audit'>['entries'][number];

const route = getRouteApi('/logs/audit');
const PAGE_SIZE = 50;

/** Who wrote or was refused what, newest first. */
export function AuditPage() {
  const { actor, refused, text, hours, before } = route.useSearch();
  const navigate = route.useNavigate();
  const since = useSince(hours);
  const wanted = {
    ...(actor === undefined ? {} : { actor }),
    ...(refused === undefined ? {} : { refused }),
    ...(text === undefined ? {} : { text }),
    ...(since === undefined ? {} : { since }),
  };
  const page = useAnswer(
    'syncer/list-audit',
    { limit: PAGE_SIZE, ...wanted, ...(before === undefined ? {} : { before }) },
    before === undefined ? { everySeconds: 30 } : {},
  );

  function narrow(change: Partial<ReturnType<typeof route.useSearch>>): void {
    void navigate({ search: (now) => ({ ...now, before: undefined, ...change }), replace: true, resetScroll: false });
  }

  return (
    <Page title={t`Logs`}>
      <LogTabs shown="audit">
        <Stack gap="sm">
          <Group align="flex-end" gap="sm">
            <SearchField
              label={t`Search`}
              w={280}
              placeholder={t`operation, subject, change …`}
              value={text ?? ''}
              onSearch={(wanted) => narrow({ text: wanted === '' ? undefined : wanted })}
            />
            <SearchField
              label={t`User`}
              placeholder={t`whole name`}
              value={actor ?? ''}
              onSearch={(wanted) => narrow({ actor: wanted === '' ? undefined : wanted })}
            />
            <Switch
              label={t`Refusals only`}
              mb={8}
              checked={refused === true}
              onChange={(event) => narrow({ refused: event.currentTarget.checked || undefined })}
            />
            <SpanSelect hours={hours} onChange={(span) => narrow({ hours: span })} />
            <SaveEntries of="syncer/list-audit" wanted={wanted} />
          </Group>
          <Answer of={page}>
            {({ entries, next }) => (
              <Box aria-busy={page.isPlaceholderData} opacity={page.isPlaceholderData ? 0.6 : 1}>
                <DataTable
                  caption={t`Audit log`}
                  minWidth={900}
                  columns={COLUMNS}
                  rows={entries}
                  rowKey={(entry) => entry.entry_id}
                  empty={next === null ? t`No entry matches. Remove a filter.` : t`No entry matches so far.`}
                />
                {(next !== null || before !== undefined) && (
                  <OlderNewer
                    to="/logs/audit"
                    before={before}
                    next={next}
                    note={entries.length < PAGE_SIZE ? t`Not searched to the end yet: continue with "Older".` : ''}
                  />
                )}
              </Box>
            )}
          </Answer>
        </Stack>
      </LogTabs>
    </Page>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  { id: 'time', header: t`When`, minWidth: 110, cell: ({ time }) => <When at={time} /> },
  { id: 'actor', header: t`Who`, minWidth: 110, cell: (entry) => <Who entry={entry} /> },
  {
    id: 'from',
    header: t`From`,
    minWidth: 140,
    cell: ({ entrance, address }) => <Cell text={address === '' ? entrance : `${entrance} ${address}`} />,
  },
  { id: 'operation', header: t`What`, minWidth: 170, cell: ({ operation }) => <What operation={operation} /> },
  {
    id: 'subject',
    header: t`Subject`,
    cell: (entry) => (
      <>
        {/* A block of its own: beside the details, a link would stand in a text and need a line below it. */}
        <Box>
          <Subject entry={entry} />
        </Box>
        {entry.details !== '' && (
          <Text size="xs" c="dimmed" className="wrap-anywhere" lineClamp={6} title={entry.details}>
            {detailsText(entry.operation, entry.details)}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'outcome',
    header: t`Result`,
    cell: ({ outcome, request_id }) => (
      <StatusBadge tone={outcomeTone(outcome)} title={t`Request ${request_id}`}>
        {outcomeWords(outcome)}
      </StatusBadge>
    ),
  },
];

/** A user leads to the page of users; the machine and its schedule are none. */
function Who({ entry: { actor, entrance } }: { readonly entry: Entry }) {
  const seesUsers = may(useSession(), 'users/list-users');
  const isUser = entrance !== 'cli' && entrance !== 'cron' && actor !== '';
  if (!isUser || !seesUsers) return <Cell text={actor} />;
  return (
    <TextLink size="sm" to="/users/$name" params={{ name: actor }} className="wrap-anywhere">
      {actor}
    </TextLink>
  );
}

function What({ operation }: { readonly operation: string }) {
  const { what, area } = operationWords(operation);
  return (
    <>
      <Text size="sm">{what}</Text>
      <Text size="xs" c="dimmed" className="wrap-anywhere">
        {area}
      </Text>
    </>
  );
}

function Subject({ entry: { operation, subject } }: { readonly entry: Entry }) {
  const page = subjectPage(operation, subject);
  const text = subjectText(operation, subject);
  if (page === undefined) return <Cell text={text} />;
  const shown = { size: 'sm', className: 'wrap-anywhere', children: text } as const;
  if (page.kind === 'rule') {
    return <TextLink to="/rules/$type/$id" params={{ type: page.type, id: page.rule }} {...shown} />;
  }
  const { name } = page;
  switch (page.kind) {
    case 'host':
      return <TextLink to="/hosts/$hostname" params={{ hostname: name }} {...shown} />;
    case 'account':
      return <TextLink to="/accounts/$name" params={{ name }} {...shown} />;
    case 'cron':
      return <TextLink to="/cron/$group" params={{ group: name }} {...shown} />;
    case 'user':
      return <TextLink to="/users/$name" params={{ name }} {...shown} />;
    case 'plan':
      return <TextLink to="/plans/$plan" params={{ plan: name }} {...shown} />;
    case 'run':
      return <TextLink to="/runs/$place" params={{ place: name }} {...shown} />;
    case 'playbook_run':
      return <TextLink to="/playbooks/runs/$run" params={{ run: name }} {...shown} />;
    case 'project':
      return <TextLink to="/rules/projects/$project" params={{ project: name }} {...shown} />;
    case 'rules':
      return <TextLink to="/rules/$type" params={{ type: name }} {...shown} />;
  }
}

function Cell({ text }: { readonly text: string }) {
  return (
    <Text size="sm" className="wrap-anywhere" lineClamp={3}>
      {text}
    </Text>
  );
}
