import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { confirm } from '../parts/confirm.ts';
import { TextLink } from '../parts/links.tsx';
import { When } from '../parts/when.tsx';
import { progressText } from './progress-words.ts';
import { type ActiveRun, titleOf } from './run-words.ts';
import { useActiveRuns } from './use-active-runs.ts';

interface ActiveRunsProps {
  /** Shows only runs of this account; nothing if there are none. */
  readonly account?: string;
}

/** Shows active runs, wherever they were started, with their progress. */
export function ActiveRuns({ account }: ActiveRunsProps) {
  const active = useActiveRuns();
  if (account !== undefined) {
    const own = active.data?.runs.filter((run) => run.account === account) ?? [];
    return own.map((run) => <ShownRun key={run.id} run={run} />);
  }
  return (
    <Answer of={active}>
      {({ runs, waiting }) =>
        runs.length + waiting.length === 0 ? (
          <Text size="sm" c="dimmed">
            <Trans>Nothing runs at the moment.</Trans>
          </Text>
        ) : (
          <Stack gap="xs" component="ul" className="plain-list">
            {runs.map((run) => (
              <li key={run.id}>
                <ShownRun run={run} />
              </li>
            ))}
            {waiting.map(({ job, account, group, runs_at, since }) => (
              <li key={`${group} ${account} ${job}`}>
                <Text size="sm" className="wrap-anywhere">
                  <Trans>
                    {job} of {account} (cron group {group}) waits for a node that takes {runs_at} since{' '}
                    <When at={since} />
                  </Trans>
                </Text>
              </li>
            ))}
          </Stack>
        )
      }
    </Answer>
  );
}

function ShownRun({ run }: { readonly run: ActiveRun }) {
  const { kind, account, part, started_by, started_at, progress, node } = run;
  const session = useSession();
  const share = progress?.total ? Math.min(100, (100 * progress.done) / progress.total) : undefined;
  const name = titleOf(kind, account);
  return (
    <Paper withBorder p="sm" component="section" aria-label={t`${name} runs`}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Text size="sm" className="wrap-anywhere" flex="1 1 14rem">
          <Text span inherit fw={600}>
            {may(session, 'accounts/show-accounts') ? <LinkedTitle kind={kind} account={account} /> : name}
            {part === null ? '' : ` (${part})`}
          </Text>{' '}
          <Text span inherit c="dimmed">
            <Trans>
              started <When at={started_at} /> by {started_by}
            </Trans>
            {node === null ? null : (
              <>
                {' '}
                <Trans>on {node}</Trans>
              </>
            )}
          </Text>
        </Text>
        <CancelButton run={run} name={name} />
      </Group>
      <Progress
        my={6}
        value={share ?? 100}
        animated={share === undefined}
        aria-label={`${name}: ${progressText(progress)}`}
      />
      <Text size="xs" c="dimmed">
        {progressText(progress)}
      </Text>
    </Paper>
  );
}

function LinkedTitle({ kind, account }: Pick<ActiveRun, 'kind' | 'account'>) {
  const link = { inherit: true, to: '/accounts/$name', params: { name: account } } as const;
  switch (kind) {
    case 'import':
      return (
        <Trans>
          Import of <TextLink {...link}>{account}</TextLink>
        </Trans>
      );
    case 'export':
      return (
        <Trans>
          Export of <TextLink {...link}>{account}</TextLink>
        </Trans>
      );
    case 'plan':
      return (
        <Trans>
          Plan of <TextLink {...link}>{account}</TextLink>
        </Trans>
      );
  }
}

function CancelButton({ run: { id, account, kind }, name }: { readonly run: ActiveRun; readonly name: string }) {
  const session = useSession();
  const action = useAction('runs/cancel-active', {
    done: t`${name} is asked to stop.`,
    calm: ({ code }) => (code === 'not_found' ? t`It has ended meanwhile.` : undefined),
    changes: ['runs'],
  });
  if (!may(session, 'runs/cancel-active')) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={action.isPending}
      aria-label={stopText(kind, account)}
      onClick={() =>
        confirm({
          title: stopQuestion(kind, account),
          text: t`Hosts written so far are kept, and nothing is archived. The next run completes it.`,
          yes: t`Stop it`,
          onYes: () => action.mutate({ run: id }),
        })
      }
    >
      <Trans>Stop…</Trans>
    </Button>
  );
}

function stopText(kind: ActiveRun['kind'], account: string): string {
  switch (kind) {
    case 'import':
      return t`Stop the import of ${account}`;
    case 'export':
      return t`Stop the export of ${account}`;
    case 'plan':
      return t`Stop the plan of ${account}`;
  }
}

function stopQuestion(kind: ActiveRun['kind'], account: string): string {
  switch (kind) {
    case 'import':
      return t`Stop the import of ${account}?`;
    case 'export':
      return t`Stop the export of ${account}?`;
    case 'plan':
      return t`Stop the plan of ${account}?`;
  }
}
