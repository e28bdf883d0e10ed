import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Code, List, Stack, Text, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMemo } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';
import { type PlaybookRun, RunStatus, startedBy } from './run.tsx';
import { RunForm } from './run-form.tsx';
import { runRefusal } from './run-refusal.ts';

type Playbooks = OfferedOutput<'playbooks/list-playbooks'>;
export type Playbook = Playbooks['playbooks'][number];

/** What the manifest offers, and what was run lately. */
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
      <Answer of={playbooks}>
        {(data) => (
          <>
            <ManifestProblems problems={data.problems} />
            <DataTable
              caption={t`Playbooks of the manifest`}
              columns={columns}
              rows={data.playbooks}
              rowKey={({ file }) => file}
              empty={t`The manifest has no playbooks. Add some to playbooks.local.yml next to it.`}
            />
          </>
        )}
      </Answer>
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
    <Answer of={runs}>
      {(data) => (
        <DataTable
          caption={t`Latest playbook runs`}
          minWidth={760}
          columns={RUNS}
          rows={data.runs}
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
                    automation_playbook_fire
                  </TextLink>{' '}
                  run them by the job <Code>Fire Playbooks</Code> of a cron group.
                </Trans>
              </Text>
            </Stack>
          }
        />
      )}
    </Answer>
  );
}

const PLAYBOOKS: readonly Column<Playbook>[] = [
  {
    id: 'name',
    header: t`Playbook`,
    sortBy: ({ name }) => name,
    cell: ({ name, file }) => (
      <>
        <Text size="sm">{name}</Text>
        {name !== file && (
          <Text size="xs" c="dimmed">
            {file}
          </Text>
        )}
      </>
    ),
  },
  { id: 'inventory', header: t`Inventory`, sortBy: ({ inventory }) => inventory, cell: ({ inventory }) => inventory },
  { id: 'description', header: t`What it does`, cell: ({ description }) => description },
];

const RUN: Column<Playbook> = {
  id: 'run',
  header: t`Run`,
  cell: (playbook) => (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={t`Run ${{ name: playbook.name }}`}
      onClick={() => askForRun(playbook)}
    >
      <Trans>Run…</Trans>
    </Button>
  ),
};

const RUNS: readonly Column<PlaybookRun>[] = [
  {
    id: 'playbook',
    header: t`Playbook`,
    sortBy: ({ playbook }) => playbook,
    cell: ({ id, playbook }) => (
      <TextLink inherit to="/playbooks/runs/$run" params={{ run: id }}>
        {playbook}
      </TextLink>
    ),
  },
  { id: 'status', header: t`Status`, sortBy: ({ status }) => status, cell: (run) => <RunStatus run={run} /> },
  {
    id: 'hostname',
    header: t`Host`,
    sortBy: ({ hostname }) => hostname,
    cell: ({ hostname, provider }) => (
      <span className="wrap-anywhere">{hostname ?? t`all of inventory ${provider}`}</span>
    ),
  },
  { id: 'by', header: t`Started by`, sortBy: startedBy, cell: startedBy },
  {
    id: 'started',
    header: t`Started`,
    sortBy: ({ started_at }) => started_at,
    cell: ({ started_at }) => <When at={started_at} />,
  },
];

function askForRun(playbook: Playbook): void {
  modals.open({ title: t`Run ${{ name: playbook.name }}`, size: 'lg', children: <RunForm playbook={playbook} /> });
}
