import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { stateOf } from '../../../../app/runs/cron/words.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { cell } from '../parts/cells.tsx';
import type { Column } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { List } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';
import { type CronGroup, isBusy, StateBadge } from './group-state.tsx';
import { PauseButton } from './pause.tsx';
import { whyNot } from './rights.ts';
import { RunButton } from './run-buttons.tsx';
import { NEXT_RUN_WORDS, nextStart, scheduleText } from './schedule-words.ts';
import { tookText } from './took-text.ts';

/** The state of all groups; kept up to date while one runs. */
export function GroupsPage() {
  const session = useSession();
  const groups = useAnswer(
    'cron/list-groups',
    {},
    { everySeconds: (answer) => (answer?.groups.some(isBusy) ? 2 : 15) },
  );
  const canTrigger = may(session, 'cron/trigger-group');
  const columns = useMemo(() => (canTrigger ? [...COLUMNS, RUN] : COLUMNS), [canTrigger]);
  return (
    <Page
      title={t`Cron groups`}
      description={whyNot(session) ?? t`Jobs that run one after the other: on a schedule, on request or by a webhook`}
      add={{ to: '/cron/new', label: t`New group`, operation: 'cron/save-group' }}
      actions={
        may(session, 'cron/pause-groups') &&
        groups.data !== undefined &&
        groups.data.groups.length > 0 && <PauseButton pausedUntil={lastEnd(groups.data.groups)} />
      }
    >
      <List
        of={groups}
        caption={t`Cron groups`}
        minWidth={900}
        columns={columns}
        rows={(data) => data.groups}
        rowKey={(group) => group.name}
        empty={<NoGroups canChange={may(session, 'cron/save-group')} />}
      />
    </Page>
  );
}

/** Returns the end of the last pause; `null` if some group is not paused. */
function lastEnd(groups: readonly CronGroup[]): string | null {
  const ends = groups.map(({ paused_until }) => paused_until);
  return ends.includes(null) ? null : (ends.sort().at(-1) ?? null);
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
  cell.link(
    'name',
    t`Group`,
    ({ name }) => (
      <TextLink to="/cron/$group" params={{ group: name }}>
        {name}
      </TextLink>
    ),
    { sortBy: ({ name }) => name },
  ),
  { id: 'state', header: t`State`, sortBy: stateOf, cell: (group) => <StateBadge group={group} /> },
  cell.when('last', t`Last run`, ({ last_start }) => last_start, {
    sortBy: ({ last_start }) => last_start,
    note: lastRunText,
  }),
  {
    id: 'next',
    header: t`Next run`,
    sortBy: ({ next_run }) => next_run,
    cell: (group) => {
      const next = nextStart(group);
      return <span className="one-line">{'at' in next ? <When at={next.at} /> : NEXT_RUN_WORDS[next.words]}</span>;
    },
  },
  cell.text('schedule', t`Schedule`, scheduleText),
  cell.text('message', t`Last message`, (group) => (
    <Text inherit lineClamp={2} c={group.has_error ? 'red' : 'inherit'} miw={160}>
      {group.last_message}
    </Text>
  )),
];

const RUN: Column<CronGroup> = cell.act('run', t`Run`, (group) => <RunButton group={group} size="compact-sm" />);

function lastRunText({ last_start, last_end, is_running }: CronGroup): string | undefined {
  if (last_start === null) return undefined;
  if (last_end !== null) return t`took ${{ duration: tookText(last_start, last_end) }}`;
  return is_running ? t`still running` : t`cut off`;
}
