import { t } from '@lingui/core/macro';
import { Stack, Switch, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { cell } from '../parts/cells.tsx';
import type { Column } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { List } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { detailsText, operationWords, outcomeTone, outcomeWords, subjectPage, subjectText } from './audit-words.ts';
import { olderNote, PAGE_SIZE } from './log-spans.ts';
import { LogTabs } from './log-tabs.tsx';
import { SaveEntries } from './save-entries.tsx';
import { SpanSelect, useSince } from './span-select.tsx';

type Entry = OfferedOutput<'syncer/list-audit'>['entries'][number];

const route = getRouteApi('/logs/audit');

/** Shows writes and refusals with their actors, newest first. */
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
          <List
            of={page}
            controls={
              <>
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
              </>
            }
            caption={t`Audit log`}
            minWidth={860}
            columns={COLUMNS}
            rows={({ entries }) => entries}
            rowKey={(entry) => entry.entry_id}
            pages={({ entries, next }) => ({
              of: t`the log`,
              note: olderNote(next, entries.length),
              at: 'before',
              next,
            })}
            empty={({ next }) => (next === null ? t`No entry matches. Remove a filter.` : t`No entry matches so far.`)}
          />
        </Stack>
      </LogTabs>
    </Page>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  cell.when('time', t`When`, ({ time }) => time),
  cell.link('actor', t`Who`, (entry) => <Who entry={entry} />),
  cell.text('from', t`From`, ({ entrance, address }) => <span className="one-line">{`${entrance} ${address}`}</span>),
  cell.text('operation', t`Action`, ({ operation }) => {
    const { what, area } = operationWords(operation);
    return (
      <>
        {what} <span className="dimmed">· {area}</span>
      </>
    );
  }),
  cell.link('subject', t`Subject`, (entry) => <Subject entry={entry} />, {
    note: ({ operation, details }) =>
      details !== '' && (
        <Text inherit lineClamp={6} title={details}>
          {detailsText(operation, details)}
        </Text>
      ),
  }),
  cell.badge('outcome', t`Result`, ({ outcome, request_id }) => ({
    tone: outcomeTone(outcome),
    text: outcomeWords(outcome),
    title: t`Request ${request_id}`,
  })),
];

/** A user links to the page of users; the machine and its schedule do not. */
function Who({ entry: { actor, entrance } }: { readonly entry: Entry }) {
  const seesUsers = may(useSession(), 'users/list-users');
  const isUser = entrance !== 'cli' && entrance !== 'cron' && actor !== '';
  if (!isUser || !seesUsers) return actor;
  return (
    <TextLink to="/users/$name" params={{ name: actor }}>
      {actor}
    </TextLink>
  );
}

function Subject({ entry: { operation, subject } }: { readonly entry: Entry }) {
  const page = subjectPage(operation, subject);
  const text = subjectText(operation, subject);
  if (page === undefined) {
    return (
      <Text inherit lineClamp={3}>
        {text}
      </Text>
    );
  }
  const shown = { children: text };
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
