import { Button, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { HostLink } from '../hosts/host-link.tsx';
import { Answer } from '../parts/answer.tsx';
import { confirm } from '../parts/confirm.ts';
import { Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';
import { Output } from './output.tsx';
import { RunStatus, startedBy } from './run.tsx';

const ABOVE = [{ to: '/playbooks', label: 'Playbooks' }];

/** One run, and what it printed. */
export function RunPage({ id }: { readonly id: string }) {
  const session = useSession();
  const run = useAnswer(
    'playbooks/show-run',
    { run: id },
    { everySeconds: (answer) => (answer?.status === 'running' ? 2 : 60) },
  );
  const cancel = useAction('playbooks/cancel-run', { done: 'It ends within seconds', changes: ['playbooks'] });
  const mayCancel = may(session, 'playbooks/cancel-run') && run.data?.status === 'running';
  return (
    <Page
      title={run.data === undefined ? 'Playbook run' : `Run of ${run.data.playbook}`}
      above={ABOVE}
      actions={
        mayCancel && (
          <Button
            color="red"
            variant="light"
            loading={cancel.isPending}
            onClick={() =>
              confirm({
                title: 'Cancel this run?',
                text: 'What it has already done is not undone.',
                yes: 'Cancel the run',
                onYes: () => cancel.mutate({ run: id }),
              })
            }
          >
            Cancel the run
          </Button>
        )
      }
    >
      <Answer of={run}>
        {(data) => (
          <>
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} component="dl" m={0}>
              <Member name="Status">
                <RunStatus run={data} />
              </Member>
              <Member name="Host">
                {data.hostname === null ? `all of inventory ${data.provider}` : <HostLink hostname={data.hostname} />}
              </Member>
              <Member name="Started">
                <When at={data.started_at} /> by {startedBy(data)}
              </Member>
              <Member name="Ended">
                <When at={data.ended_at} never="not yet" />
                {data.exit_code !== null && `, exit code ${data.exit_code}`}
              </Member>
            </SimpleGrid>
            {data.message !== '' && <Text size="sm">{data.message}</Text>}
            {data.output === '' ? (
              <Text size="sm" c="dimmed">
                It printed nothing{data.status === 'running' ? ' yet' : ''}.
              </Text>
            ) : (
              <Output text={data.output} follow={data.status === 'running'} />
            )}
          </>
        )}
      </Answer>
    </Page>
  );
}

function Member({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {children}
      </Text>
    </div>
  );
}
