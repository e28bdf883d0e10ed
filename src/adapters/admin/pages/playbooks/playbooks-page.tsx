import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Code, List, Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { cell } from '../parts/cells.tsx';
import type { Column } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { List as ListOf } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import { hostsText, type PlaybookRun, RunStatus, startedBy } from './run.tsx';
import { askForRun } from './run-form.tsx';
import { runRefusal } from './run-refusal.ts';

type Playbooks = OfferedOutput<'playbooks/list-playbooks'>;
type Playbook = Playbooks['playbooks'][number];

/** Shows the playbooks of the manifest, and recent runs. */
export function PlaybooksPage() {
  const session = useSession();
  const playbooks = useAnswer('playbooks/list-playbooks', {});
  const refusal = runRefusal(session);
  const mayRun = refusal === undefined;
  const columns = useMemo(() => (mayRun ? [...PLAYBOOKS, RUN] : PLAYBOOKS), [mayRun]);
  return (
    <Page
      title={t`Playbooks`}
      description={[
        t`Playbooks of the manifest.`,
        refusal ?? t`Rules run playbooks automatically when they begin to match a host.`,
      ].join(' ')}
    >
      <ListOf
        of={playbooks}
        above={({ problems }) => <ManifestProblems problems={problems} />}
        caption={t`Playbooks of the manifest`}
        columns={columns}
        rows={(data) => data.playbooks}
        rowKey={({ file }) => file}
        empty={t`The manifest has no playbooks. Add some to playbooks.local.yml next to it.`}
      />
      <Title order={2} size="h4">
        <Trans>Latest runs</Trans>
      </Title>
      <LatestRuns />
    </Page>
  );
}

function ManifestProblems({ problems }: { readonly problems: Playbooks['problems'] }) {
  if (problems.length === 0) return null;
  return (
    <Alert color="orange" title={t`Entries of the manifest that cannot be used`}>
      <List size="sm">
        {problems.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            {path}: {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function LatestRuns() {
  const runs = useAnswer(
    'playbooks/list-runs',
    { limit: 50 },
    { everySeconds: (answer) => (answer?.runs.some(({ status }) => status === 'running') ? 2 : 20) },
  );
  return (
    <ListOf
      of={runs}
      caption={t`Latest playbook runs`}
      minWidth={760}
      columns={RUNS}
      rows={(data) => data.runs}
      rowKey={({ id }) => id}
      empty={
        <Stack gap={4} align="center">
          <Text>
            <Trans>No playbook has run yet.</Trans>
          </Text>
          <Text size="sm">
            <Trans>
              Rules of the type{' '}
              <TextLink to="/rules/$type" params={{ type: 'automation_playbook_fire' }}>
                Fire playbooks
              </TextLink>{' '}
              run them by the job <Code>Fire Playbooks</Code> of a cron group.
            </Trans>
          </Text>
        </Stack>
      }
    />
  );
}

const PLAYBOOKS: readonly Column<Playbook>[] = [
  cell.text('name', t`Playbook`, ({ name }) => name, {
    sortBy: ({ name }) => name,
    note: ({ name, file }) => name !== file && file,
  }),
  cell.text('inventory', t`Inventory`, ({ inventory }) => inventory, { sortBy: ({ inventory }) => inventory }),
  cell.text('description', t`Description`, ({ description }) => description),
];

const RUN: Column<Playbook> = cell.act('run', t`Run`, (playbook) => (
  <Button
    size="compact-sm"
    variant="default"
    aria-label={t`Run ${{ name: playbook.name }}`}
    onClick={() => askForRun(playbook)}
  >
    <Trans>Run…</Trans>
  </Button>
));

const RUNS: readonly Column<PlaybookRun>[] = [
  cell.link(
    'playbook',
    t`Playbook`,
    ({ id, playbook }) => (
      <TextLink to="/playbooks/runs/$run" params={{ run: id }}>
        {playbook}
      </TextLink>
    ),
    { sortBy: ({ playbook }) => playbook },
  ),
  { id: 'status', header: t`Status`, sortBy: ({ status }) => status, cell: (run) => <RunStatus run={run} /> },
  cell.text('hostname', t`Hosts`, hostsText, { sortBy: hostsText }),
  cell.text('by', t`Started by`, startedBy, { sortBy: startedBy }),
  cell.when('started', t`Started`, ({ started_at }) => started_at, { sortBy: ({ started_at }) => started_at }),
];
