import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, SimpleGrid, Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { HostLink } from '../hosts/host-link.tsx';
import { Answer } from '../parts/answer.tsx';
import { confirm } from '../parts/confirm.ts';
import { Fact } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';
import { Output } from './output.tsx';
import { type PlaybookRun, RunStatus, startedBy } from './run.tsx';

const ABOVE = [{ to: '/playbooks', label: t`Playbooks` }];

/** Shows one run with its output. */
export function RunPage({ id }: { readonly id: string }) {
  const session = useSession();
  const run = useAnswer(
    'playbooks/show-run',
    { run: id },
    { everySeconds: (answer) => (answer?.status === 'running' ? 2 : 60) },
  );
  const cancel = useAction('playbooks/cancel-run', { done: t`It ends within seconds`, changes: ['playbooks'] });
  const mayCancel = may(session, 'playbooks/cancel-run') && run.data?.status === 'running';
  return (
    <Page
      title={run.data === undefined ? t`Playbook run` : t`Run of ${{ playbook: run.data.playbook }}`}
      above={ABOVE}
      actions={
        mayCancel && (
          <Button
            color="red"
            variant="light"
            loading={cancel.isPending}
            onClick={() =>
              confirm({
                title: t`Stop this run?`,
                text: t`What it has already done is not undone.`,
                yes: t`Stop the run`,
                no: t`Let it run`,
                onYes: () => cancel.mutate({ run: id }),
              })
            }
          >
            <Trans>Stop the run</Trans>
          </Button>
        )
      }
    >
      <Answer of={run} whereMissing={<TextLink size="sm" to="/playbooks">{t`All runs of playbooks`}</TextLink>}>
        {(data) => (
          <>
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} component="dl" m={0}>
              <Fact label={t`Status`}>
                <RunStatus run={data} />
              </Fact>
              <Fact label={t`Host`}>
                {data.hostname === null ? (
                  t`all of inventory ${{ provider: data.provider }}`
                ) : (
                  <HostLink hostname={data.hostname} />
                )}
              </Fact>
              <Fact label={t`Started`}>
                <Started run={data} />
              </Fact>
              <Fact label={t`Ended`}>
                <When at={data.ended_at} never={t`not yet`} />
                {data.exit_code !== null && t`, exit code ${{ code: data.exit_code }}`}
              </Fact>
            </SimpleGrid>
            {data.message !== '' && <Text size="sm">{data.message}</Text>}
            {data.output === '' ? (
              <Text size="sm" c="dimmed">
                {data.status === 'running' ? t`It printed nothing yet.` : t`It printed nothing.`}
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

function Started({ run }: { readonly run: PlaybookRun }) {
  const by = startedBy(run);
  return (
    <Trans>
      <When at={run.started_at} /> by {by}
    </Trans>
  );
}
