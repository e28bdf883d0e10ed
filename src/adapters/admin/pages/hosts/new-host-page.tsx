import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { CallError } from '../calls/call.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { useLeaveGuard } from '../parts/use-leave-guard.ts';
import { HOST_CHANGES } from './host.ts';
import { HostLink } from './host-link.tsx';
import { focusFirstProblem } from './labels/focus-first-problem.ts';
import { type LabelDraft, labelsOf, problemsOf, writtenOf } from './labels/label-drafts.ts';
import { LabelEditor } from './labels/label-editor.tsx';
import { noAccount, takesHosts } from './no-account.ts';

const route = getRouteApi('/hosts/new');

/** Creates a host in an account that users and programs write to. */
export function NewHostPage() {
  const session = useSession();
  const accounts = useAnswer('accounts/list-accounts', {});
  return (
    <Page title={t`New host`} above={[{ to: '/hosts', label: t`Hosts` }]} isNarrow>
      {may(session, 'hosts/save-host') ? (
        <Answer of={accounts}>
          {(data) => {
            const names = data.accounts.filter(takesHosts).map(({ name }) => name);
            return names.length === 0 ? <NoAccount /> : <NewHostForm accounts={names} />;
          }}
        </Answer>
      ) : (
        <Text>
          <Trans>You may only read, so you cannot create hosts.</Trans>
        </Text>
      )}
    </Page>
  );
}

function NoAccount() {
  const { text, mayAdd } = noAccount(useSession());
  return (
    <Stack align="flex-start" gap="sm">
      <Text>{text}</Text>
      {mayAdd && (
        <ButtonLink to="/accounts/new" search={{ type: 'api', next: 'new-host' }}>
          <Trans>New account</Trans>
        </ButtonLink>
      )}
    </Stack>
  );
}

function NewHostForm({ accounts }: { readonly accounts: readonly string[] }) {
  const { account: requested } = route.useSearch();
  const navigate = useNavigate();
  const [hostname, setHostname] = useState('');
  const [account, setAccount] = useState<string | null>(
    accounts.find((name) => name === requested) ?? (accounts.length === 1 ? (accounts[0] ?? null) : null),
  );
  const [drafts, setDrafts] = useState<readonly LabelDraft[]>([]);
  const [isChecked, setChecked] = useState(false);
  const [taken, setTaken] = useState<string>();
  const [problem, setProblem] = useState<Error>();
  const save = useAction('hosts/save-host', { done: t`Host created`, changes: HOST_CHANGES, showsProblem: true });
  const mayLeave = useLeaveGuard(hostname !== '' || drafts.length > 0);
  const written = writtenOf(drafts);
  const problems = problemsOf(written);
  const name = hostname.trim();
  const nameProblem = isChecked ? hostnameProblem(name) : undefined;

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    flushSync(() => setChecked(true));
    setProblem(undefined);
    setTaken(undefined);
    if (hostnameProblem(name) !== undefined || account === null || problems.length > 0) {
      focusFirstProblem(event.currentTarget);
      return;
    }
    try {
      // Without `before`, the labels of a host that is there already would be replaced.
      await save.mutateAsync({ hostname: name, account, labels: labelsOf(written), before: null });
      mayLeave();
      await navigate({ to: '/hosts/$hostname', params: { hostname: name } });
    } catch (error) {
      if (error instanceof CallError && TAKEN.has(error.code)) setTaken(name);
      else setProblem(error as Error);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} aria-label={t`New host`} noValidate>
      <Stack>
        {problem !== undefined && <Problem error={problem} />}
        {taken !== undefined && (
          <Alert color="red" role="alert" title={t`This host already exists`}>
            <Trans>
              <HostLink hostname={taken} /> exists, maybe in the archive. Open it to change or restore it.
            </Trans>
          </Alert>
        )}
        <TextInput
          label={t`Hostname`}
          required
          autoFocus
          maxLength={400}
          value={hostname}
          error={nameProblem}
          description={
            name !== '' && !USUAL_HOSTNAME.test(name)
              ? t`Other systems may not take this name: DNS has letters, digits, - and . only`
              : undefined
          }
          onChange={(event) => setHostname(event.currentTarget.value)}
        />
        <Select
          label={t`Account`}
          description={t`Only accounts of type api: hosts of others come from their sources`}
          required
          searchable
          data={accounts}
          value={account}
          error={isChecked && account === null ? t`Choose an account` : undefined}
          onChange={setAccount}
        />
        <Paper withBorder p="md" component="section" aria-label={t`Labels`}>
          <Title order={2} size="h4" mb="sm">
            <Trans>Labels</Trans>
          </Title>
          <LabelEditor drafts={drafts} onChange={setDrafts} problems={isChecked ? problems : []} verb={t`create`} />
        </Paper>
        <Group>
          <Button type="submit" loading={save.isPending}>
            <Trans>Create host</Trans>
          </Button>
          <ButtonLink to="/hosts" variant="default">
            <Trans>Cancel</Trans>
          </ButtonLink>
        </Group>
      </Stack>
    </form>
  );
}

/** Why a host is not made that is there already. */
const TAKEN: ReadonlySet<string> = new Set(['conflict', 'account_conflict', 'archived']);

/** Names as in DNS, and underscores, which are common. */
const USUAL_HOSTNAME = /^[\p{L}\p{N}_]([\p{L}\p{N}_.-]*[\p{L}\p{N}_])?$/u;

function hostnameProblem(name: string): string | undefined {
  if (name === '') return t`Enter a hostname`;
  if (name.includes('/')) return t`A hostname cannot contain a slash`;
  return [...name].length > 253 ? t`A hostname has at most 253 characters` : undefined;
}
