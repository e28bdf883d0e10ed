import { Box, Group, Stack, Switch, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Page } from '../parts/page.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { When } from '../parts/when.tsx';
import { LogTabs } from './log-tabs.tsx';
import { OlderNewer } from './older-newer.tsx';

type Entry = OfferedOutput<'syncer/list-audit'>['entries'][number];

const route = getRouteApi('/logs/audit');
const PAGE_SIZE = 50;

/** Who wrote or was refused what, newest first. */
export function AuditPage() {
  const { actor, refused, text, before } = route.useSearch();
  const navigate = route.useNavigate();
  const page = useAnswer(
    'syncer/list-audit',
    {
      limit: PAGE_SIZE,
      ...(actor === undefined ? {} : { actor }),
      ...(refused === undefined ? {} : { refused }),
      ...(text === undefined ? {} : { text }),
      ...(before === undefined ? {} : { before }),
    },
    before === undefined ? { everySeconds: 30 } : {},
  );

  function narrow(change: { actor?: string | undefined; refused?: true | undefined; text?: string | undefined }): void {
    void navigate({ search: (now) => ({ ...now, before: undefined, ...change }), replace: true, resetScroll: false });
  }

  return (
    <Page title="Logs">
      <LogTabs shown="audit">
        <Stack gap="sm">
          <Group align="flex-end" gap="sm">
            <SearchField
              label="Search"
              w={280}
              placeholder="operation, subject, address …"
              value={text ?? ''}
              onSearch={(wanted) => narrow({ text: wanted === '' ? undefined : wanted })}
            />
            <SearchField
              label="User"
              placeholder="whole name"
              value={actor ?? ''}
              onSearch={(wanted) => narrow({ actor: wanted === '' ? undefined : wanted })}
            />
            <Switch
              label="Refusals only"
              mb={8}
              checked={refused === true}
              onChange={(event) => narrow({ refused: event.currentTarget.checked || undefined })}
            />
          </Group>
          <Answer of={page}>
            {({ entries, next }) => (
              <Box aria-busy={page.isPlaceholderData} opacity={page.isPlaceholderData ? 0.6 : 1}>
                <DataTable
                  caption="Audit log"
                  minWidth={760}
                  columns={COLUMNS}
                  rows={entries}
                  rowKey={(entry) => entry.entry_id}
                  empty={next === null ? 'No entry matches. Remove a filter.' : 'No entry matches so far.'}
                />
                {(next !== null || before !== undefined) && (
                  <OlderNewer
                    to="/logs/audit"
                    before={before}
                    next={next}
                    note={entries.length < PAGE_SIZE ? 'Not searched to the end yet: continue with "Older".' : ''}
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
  { id: 'time', header: 'When', cell: ({ time }) => <When at={time} /> },
  { id: 'actor', header: 'Who', cell: ({ actor }) => <Cell text={actor} /> },
  {
    id: 'from',
    header: 'From',
    cell: ({ entrance, address }) => <Cell text={address === '' ? entrance : `${entrance} ${address}`} />,
  },
  { id: 'operation', header: 'What', cell: ({ operation }) => <Cell text={operation} /> },
  { id: 'subject', header: 'Subject', cell: ({ subject }) => <Cell text={subject} /> },
  {
    id: 'outcome',
    header: 'Result',
    cell: ({ outcome, request_id }) => (
      <StatusBadge tone={outcome === 'done' ? 'good' : 'bad'} title={`Request ${request_id}`}>
        {outcome.replaceAll('_', ' ')}
      </StatusBadge>
    ),
  },
];

function Cell({ text }: { readonly text: string }) {
  return (
    <Text size="sm" className="wrap-anywhere" lineClamp={3}>
      {text}
    </Text>
  );
}
