import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { stateOf } from '../../../../app/runs/cron/words.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';
import { type CronGroup, isBusy, StateBadge } from './group-state.tsx';
import { whyNot } from './rights.ts';
import { RunButton } from './run-buttons.tsx';
import { NEXT_RUN_WORDS, nextStart, scheduleText } from './schedule-words.ts';
import { tookText } from './took-text.ts';

/** How all groups stand; kept up to date while one runs. */
export function GroupsPage() {
  const session = useSession();
  const groups = useAnswer(
    'cron/list-groups',
    {},
    { everySeconds: (answer) => (answer?.groups.some(isBusy) ? 2 : 15) },
  );
  const canTrigger = may(session, 'cron/trigger-group');
  const canChange = may(session, 'cron/save-group');
  const columns = useMemo(() => (canTrigger ? [...COLUMNS, RUN] : COLUMNS), [canTrigger]);
  return (
    <Page
      title={t`Cron groups`}
      description={whyNot(session) ?? t`Jobs that run one after the other: on a schedule, on request or by a webhook`}
      actions={
        canChange && (
          <ButtonLink to="/cron/new" leftSection={<IconPlus size={16} aria-hidden />}>
            <Trans>New group</Trans>
          </ButtonLink>
        )
      }
    >
      <Answer of={groups}>
        {(data) => (
          <DataTable
            caption={t`Cron groups`}
            minWidth={900}
            columns={columns}
            rows={data.groups}
            rowKey={(group) => group.name}
            empty={<NoGroups canChange={canChange} />}
          />
        )}
      </Answer>
    </Page>
  );
}

function NoGroups({ canChange }: { readonly canChange: boolean }) {
  return (
    <Stack gap={4} align="center">
      <Text>{canChange ? t`There are no cron groups yet.` : t`There are no cron groups that you may see.`}</Text>
      {canChange && (
        <Text size="sm">
          <Trans>
            <TextLink to="/cron/new">Create the first one</TextLink>, or import some:{' '}
            <Code>muster rules import groups.json</Code>
          </Trans>
        </Text>
      )}
    </Stack>
  );
}

const COLUMNS: readonly Column<CronGroup>[] = [
  {
    id: 'name',
    header: t`Group`,
    sortBy: (group) => group.name,
    cell: (group) => (
      <TextLink to="/cron/$group" params={{ group: group.name }} inherit className="wrap-anywhere">
        {group.name}
      </TextLink>
    ),
  },
  { id: 'state', header: t`State`, sortBy: stateOf, cell: (group) => <StateBadge group={group} /> },
  { id: 'last', header: t`Last run`, sortBy: (group) => group.last_start, cell: lastRun },
  { id: 'next', header: t`Next run`, sortBy: (group) => group.next_run, cell: nextRun },
  { id: 'schedule', header: t`Schedule`, cell: scheduleText },
  {
    id: 'message',
    header: t`Last message`,
    cell: (group) => (
      <Text size="sm" lineClamp={2} className="wrap-anywhere" c={group.has_error ? 'red' : 'inherit'} miw={160}>
        {group.last_message}
      </Text>
    ),
  },
];

const RUN: Column<CronGroup> = {
  id: 'run',
  header: t`Run`,
  alignRight: true,
  cell: (group) => <RunButton group={group} size="compact-sm" />,
};

function lastRun(group: CronGroup) {
  return (
    <div className="one-line">
      <When at={group.last_start} />
      {group.last_start !== null && (
        <Text size="xs" c="dimmed" title={group.last_end === null ? '' : t`until ${{ time: group.last_end }} UTC`}>
          {group.last_end !== null
            ? t`took ${{ duration: tookText(group.last_start, group.last_end) }}`
            : group.is_running
              ? t`still running`
              : t`cut off`}
        </Text>
      )}
    </div>
  );
}

function nextRun(group: CronGroup) {
  const next = nextStart(group);
  return <span className="one-line">{'at' in next ? <When at={next.at} /> : NEXT_RUN_WORDS[next.words]}</span>;
}
