import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Group, List, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { LogEntries } from '../logs/log-entries.tsx';
import { Answer } from '../parts/answer.tsx';
import { confirm } from '../parts/confirm.ts';
import { DeleteButton } from '../parts/delete-button.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { Panel } from '../parts/panel.tsx';
import { WaitingNote } from '../parts/waiting.tsx';
import { When } from '../parts/when.tsx';
import { isBusy, type ShownGroup, StateBadge } from './group-state.tsx';
import { PauseButton } from './pause.tsx';
import { whyNot } from './rights.ts';
import { RunButton } from './run-buttons.tsx';
import { NEXT_RUN_WORDS, nextStart, scheduleText } from './schedule-words.ts';
import { tookText } from './took-text.ts';
import { Webhook } from './webhook.tsx';

/** One group: its state, its jobs and schedule, and its webhook. */
export function GroupPage({ name }: { readonly name: string }) {
  const session = useSession();
  const shown = useAnswer(
    'cron/show-group',
    { group_name: name },
    { everySeconds: (answer) => (answer !== undefined && isBusy(answer.status) ? 2 : 15) },
  );
  const { status } = shown.data ?? {};
  const restriction = whyNot(session);
  return (
    <Page
      title={name}
      description={shown.data?.settings.documentation || undefined}
      above={[{ to: '/cron', label: t`Cron groups` }]}
      actions={
        status !== undefined && (
          <>
            {may(session, 'cron/trigger-group') && <RunButton group={status} />}
            {may(session, 'cron/pause-groups') && <PauseButton groups={[name]} pausedUntil={status.paused_until} />}
            {may(session, 'cron/save-group') && (
              <>
                <ButtonLink
                  to="/cron/$group/edit"
                  params={{ group: name }}
                  variant="default"
                  leftSection={<IconPencil size={16} aria-hidden />}
                >
                  <Trans>Edit</Trans>
                </ButtonLink>
                <DeleteGroup name={name} />
              </>
            )}
          </>
        )
      }
    >
      <Answer of={shown} whereMissing={<TextLink size="sm" to="/cron">{t`All cron groups`}</TextLink>}>
        {(group) => (
          <Stack gap="md">
            {restriction !== undefined && (
              <Text size="sm" c="dimmed">
                {restriction}
              </Text>
            )}
            {group.status.waits && <WaitingNote rule_type="cron_groups" name={name} />}
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <Status group={group} />
              <Jobs group={group} />
            </SimpleGrid>
            <Webhook name={name} group={group} />
            <Runs name={name} busy={isBusy(group.status)} lastEnd={group.status.last_end} />
          </Stack>
        )}
      </Answer>
    </Page>
  );
}

function Status({ group: { status, settings, time_zone, pass_seconds } }: { readonly group: ShownGroup }) {
  const next = nextStart(status);
  return (
    <Panel title={t`Status`}>
      <dl className="facts">
        <dt>
          <Trans>State</Trans>
        </dt>
        <dd>
          <StateBadge group={status} />
        </dd>
        <dt>
          <Trans>Last start</Trans>
        </dt>
        <dd>
          <When at={status.last_start} />
        </dd>
        <dt>
          <Trans>Last end</Trans>
        </dt>
        <dd>
          <When at={status.last_end} never={status.is_running ? t`still running` : t`never`} />
          {status.last_start !== null &&
            status.last_end !== null &&
            t`, took ${{ duration: tookText(status.last_start, status.last_end) }}`}
        </dd>
        <dt>
          <Trans>Next run</Trans>
        </dt>
        <dd>
          {'at' in next ? <When at={next.at} /> : NEXT_RUN_WORDS[next.words]}
          {'words' in next && next.words === 'next pass' && t`, within ${pass_seconds} s`}
        </dd>
        <dt>
          <Trans>Schedule</Trans>
        </dt>
        <dd>
          {scheduleText(status)}
          {(settings.hours !== null || status.weekdays !== null) && ` (${time_zone})`}
        </dd>
        {status.paused_until !== null && (
          <>
            <dt>
              <Trans>Paused until</Trans>
            </dt>
            <dd>
              <When at={status.paused_until} />
            </dd>
          </>
        )}
        <dt>
          <Trans>When a job fails</Trans>
        </dt>
        <dd>{settings.continue_on_error ? t`the next one still runs` : t`the rest are skipped`}</dd>
        {status.last_message !== '' && (
          <>
            <dt>
              <Trans>Last message</Trans>
            </dt>
            <dd>
              <Text size="sm" c={status.has_error ? 'red' : 'inherit'} className="wrap-anywhere">
                {status.last_message}
              </Text>
            </dd>
          </>
        )}
      </dl>
    </Panel>
  );
}

function Jobs({ group: { settings, unknown_jobs } }: { readonly group: ShownGroup }) {
  return (
    <Panel title={t`Jobs (${{ count: settings.jobs.length }})`}>
      {settings.jobs.length === 0 && (
        <Text c="dimmed">
          <Trans>The group has no jobs, so a run does nothing. Edit it and add one.</Trans>
        </Text>
      )}
      <List type="ordered" size="sm" spacing={6}>
        {settings.jobs.map(({ name, command, account }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: jobs have no other identity than their place
          <List.Item key={index} className="wrap-anywhere">
            {account === null ? command : <JobOfAccount command={command} account={account} />}
            {name !== '' && (
              <Text span size="sm" c="dimmed">
                {' '}
                · {name}
              </Text>
            )}
            {unknown_jobs.includes(command) && (
              <Badge color="red" variant="light" ml="xs">
                <Trans>unknown job</Trans>
              </Badge>
            )}
          </List.Item>
        ))}
      </List>
    </Panel>
  );
}

/** A failed import is mended at its account, so that is one click away. Documents may hold an id instead of a name. */
function JobOfAccount({ command, account }: { readonly command: string; readonly account: string }) {
  const isAllowed = may(useSession(), 'accounts/show-account');
  const known = useAnswer('accounts/list-accounts', {}, { enabled: isAllowed });
  const isName = known.data?.accounts.some(({ name }) => name === account) ?? false;
  const name = isName ? (
    <TextLink to="/accounts/$name" params={{ name: account }} size="sm">
      {account}
    </TextLink>
  ) : (
    account
  );
  return (
    <Trans>
      {command} of {name}
    </Trans>
  );
}

interface RunsProps {
  readonly name: string;
  readonly busy: boolean;
  readonly lastEnd: string | null;
}

function Runs({ name, busy, lastEnd }: RunsProps) {
  const source = `cron:${name}`;
  const runs = useAnswer('syncer/list-logs', { source, limit: 5 }, { everySeconds: busy ? 2 : 15 });
  // A run may have ended between two looks at the group.
  const { refetch } = runs;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a run is the reason
  useEffect(() => void refetch(), [lastEnd, refetch]);
  return (
    <Panel
      title={
        <Group justify="space-between">
          <Trans>Last runs</Trans>
          <TextLink to="/logs" search={{ source }} size="sm" fw={400}>
            <Trans>All runs in the log</Trans>
          </TextLink>
        </Group>
      }
    >
      <Answer of={runs}>
        {({ entries }) => (
          <LogEntries
            entries={entries}
            empty={
              <Text size="sm" c="dimmed">
                <Trans>The group has not run yet.</Trans>
              </Text>
            }
            hidesSource
          />
        )}
      </Answer>
    </Panel>
  );
}

function DeleteGroup({ name }: { readonly name: string }) {
  const navigate = useNavigate();
  const remove = useAction('rules/remove-rule', {
    done: ({ id }) => t`${name} is deleted. "muster rules revert cron_groups ${id}" restores it.`,
    changes: ['cron', 'rules'],
  });
  const ask = (): void =>
    confirm({
      title: t`Delete cron group ${name}?`,
      text: t`Its jobs no longer run and its webhook no longer works. It stays in the history of rules, from which it can be restored.`,
      yes: t`Delete`,
      onYes: () =>
        remove.mutate({ rule_type: 'cron_groups', rule: name }, { onSuccess: () => void navigate({ to: '/cron' }) }),
    });
  return <DeleteButton isPending={remove.isPending} onClick={ask} />;
}
