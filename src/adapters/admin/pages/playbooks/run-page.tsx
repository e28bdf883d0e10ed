import { Button, SimpleGrid, Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { HostLink } from '../hosts/host-link.tsx';
import { Answer } from '../parts/answer.tsx';
import { confirm } from '../parts/confirm.ts';
import { Fact } from '../parts/facts.tsx';
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
                title: 'Stop this run?',
                text: 'What it has already done is not undone.',
                yes: 'Stop the run',
                no: 'Let it run',
                onYes: () => cancel.mutate({ run: id }),
              })
            }
          >
            Stop the run
          </Button>
        )
      }
    >
      <Answer of={run}>
        {(data) => (
          <>
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} component="dl" m={0}>
              <Fact label="Status">
                <RunStatus run={data} />
              </Fact>
              <Fact label="Host">
                {data.hostname === null ? `all of inventory ${data.provider}` : <HostLink hostname={data.hostname} />}
              </Fact>
              <Fact label="Started">
                <When at={data.started_at} /> by {startedBy(data)}
              </Fact>
              <Fact label="Ended">
                <When at={data.ended_at} never="not yet" />
                {data.exit_code !== null && `, exit code ${data.exit_code}`}
              </Fact>
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
