import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, SimpleGrid, Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { HostLink } from '../hosts/host-link.tsx';
import { Answer } from '../parts/answer.tsx';
import { confirm } from '../parts/confirm.ts';
import { Fact, Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';
import { namesText } from './limit-fields.tsx';
import { Output } from './output.tsx';
import { hostsText, type PlaybookRun, RunStatus, startedBy } from './run.tsx';
import { askForRun } from './run-form.tsx';

const ABOVE = [{ to: '/playbooks', label: t`Playbooks` }];

/** Shows one run with its output. */
export function RunPage({ id }: { readonly id: string }) {
  const session = useSession();
  const run = useAnswer(
    'playbooks/show-run',
    { run: id },
    { everySeconds: (answer) => (answer?.status === 'running' ? 2 : 60) },
  );
  const playbooks = useAnswer('playbooks/list-playbooks', {});
  const cancel = useAction('playbooks/cancel-run', { changes: ['playbooks'] });
  const isRunning = run.data?.status === 'running';
  const mayCancel = isRunning && may(session, 'playbooks/cancel-run');
  const playbook = playbooks.data?.playbooks.find(({ file }) => file === run.data?.playbook);
  const mayRunAgain = run.data !== undefined && !isRunning && may(session, 'playbooks/run-playbook');
  return (
    <Page
      title={run.data === undefined ? t`Playbook run` : t`Run of ${{ playbook: playbook?.name ?? run.data.playbook }}`}
      description={playbook?.name !== run.data?.playbook && run.data?.playbook}
      above={ABOVE}
      actions={
        mayCancel && !cancel.isSuccess ? (
          <Button
            color="red"
            variant="light"
            loading={cancel.isPending}
            onClick={() =>
              confirm({
                title: t`Stop this run?`,
                text: t`Changes it has already made are not undone.`,
                yes: t`Stop the run`,
                no: t`Let it run`,
                onYes: () => cancel.mutate({ run: id }),
              })
            }
          >
            <Trans>Stop the run</Trans>
          </Button>
        ) : (
          mayRunAgain &&
          playbook !== undefined && (
            <Button variant="default" onClick={() => askForRun(playbook, run.data)}>
              <Trans>Run again…</Trans>
            </Button>
          )
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
              <Fact label={t`Hosts`}>
                {data.hostname === null ? hostsText(data) : <HostLink hostname={data.hostname} />}
              </Fact>
              <Fact label={t`Started`}>
                <Started run={data} />
              </Fact>
              <Fact label={t`Ended`}>
                <When at={data.ended_at} never={t`not yet`} />
                {data.exit_code !== null && t`, exit code ${{ code: data.exit_code }}`}
              </Fact>
            </SimpleGrid>
            <Choices run={data} />
            {isRunning && cancel.isSuccess && <Text size="sm" role="status">{t`It ends within seconds`}</Text>}
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

/** Lists the limit and the variables of the run. */
function Choices({ run }: { readonly run: PlaybookRun }) {
  const { search, group, hosts, first_hosts: first, variables } = run;
  const isLimited = search !== null || group !== null;
  const names = namesText(first, hosts ?? first.length);
  if (!isLimited && variables.length === 0) return null;
  return (
    <Facts label={t`Choices`}>
      {search !== null && (
        <Fact label={t`Search`}>
          <TextLink to="/hosts" search={{ where: search }}>
            {search}
          </TextLink>
        </Fact>
      )}
      {group !== null && (
        <Fact label={t`Group`}>
          <TextLink to="/inventory/$provider" params={{ provider: run.provider }} search={{ group }}>
            {group}
          </TextLink>
        </Fact>
      )}
      {isLimited && (
        <Fact label={t`Hosts by name`}>
          <Text size="sm" lineClamp={2} title={names}>
            {names}
          </Text>
        </Fact>
      )}
      {variables.length > 0 && <Fact label={t`Further variables`}>{variables.join(', ')}</Fact>}
    </Facts>
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
