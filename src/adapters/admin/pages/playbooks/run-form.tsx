import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { callWithProgress } from '../calls/call.ts';
import { may, useSession } from '../calls/session.ts';
import { isChanged, useAction, useAnswer } from '../calls/use-call.ts';
import { HostField } from '../hosts/host-field.tsx';
import { Problem } from '../parts/problem.tsx';
import { Output } from './output.tsx';
import type { Playbook } from './playbooks-page.tsx';
import { STATUS_WORDS } from './run.tsx';

/** The last of what is shown here; the page of the run has more. */
const SHOWN_LENGTH = 64 * 1024;

/** Asks what to run a playbook for, and shows what it prints. */
export function RunForm({ playbook }: { readonly playbook: Playbook }) {
  const queries = useQueryClient();
  const providers = useAnswer('inventory/list-providers', {});
  const [state, setState] = useState<'asking' | 'running' | 'ended'>('asking');
  const [output, setOutput] = useState('');
  const [error, setError] = useState<Error>();
  const [status, setStatus] = useState('');
  const printed = useRef('');
  const form = useForm({ initialValues: { host: '', provider: playbook.inventory, check_mode: true, extra_vars: '' } });

  async function run({ host, provider, check_mode, extra_vars }: typeof form.values): Promise<void> {
    setState('running');
    setError(undefined);
    printed.current = '';
    setOutput('');
    const wanted = {
      playbook: playbook.file,
      provider,
      check_mode,
      ...(host === '' ? {} : { host }),
      ...(extra_vars === '' ? {} : { extra_vars }),
    };
    const listAgain = () =>
      queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(['playbooks'], queryKey[0]) });
    let isListed = false;
    try {
      const ended = await callWithProgress('playbooks/run-playbook', wanted, (progress) => {
        if (!isListed) void listAgain();
        isListed = true;
        printed.current = (printed.current + (progress.output ?? '')).slice(-SHOWN_LENGTH);
        setOutput(printed.current);
      });
      const words = STATUS_WORDS[ended.status];
      setStatus(ended.message === '' ? words : `${words}: ${ended.message}`);
      setState('ended');
    } catch (problem) {
      setError(problem as Error);
      setState('asking');
    }
    await listAgain();
  }

  if (state !== 'asking') {
    return (
      <Stack>
        <Text size="sm" role="status">
          {state === 'running'
            ? t`It runs, and continues when you close this; it is in the list below.`
            : t`It has ended: ${status}`}
        </Text>
        <Output text={output} follow={state === 'running'} />
        <Group justify="flex-end">
          {state === 'running' && <StopButton wanted={form.values} playbook={playbook.file} />}
          <Button variant="default" onClick={() => modals.closeAll()}>
            <Trans>Close</Trans>
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form onSubmit={form.onSubmit((values) => void run(values))}>
      <Stack>
        {error !== undefined && <Problem error={error} />}
        <HostField
          label={t`Host`}
          description={t`Empty runs it for every host of the inventory`}
          placeholder=""
          data-autofocus
          value={form.values.host}
          onChange={(host) => form.setFieldValue('host', host)}
        />
        <Select
          label={t`Inventory`}
          data={providers.data?.providers.map(({ name }) => name) ?? [playbook.inventory]}
          allowDeselect={false}
          {...form.getInputProps('provider')}
        />
        <TextInput
          label={t`Further variables`}
          description={t`name=value pairs, or a JSON object`}
          {...form.getInputProps('extra_vars')}
        />
        <Checkbox
          label={t`Only report what would change (check mode)`}
          {...form.getInputProps('check_mode', { type: 'checkbox' })}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => modals.closeAll()}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" color={form.values.check_mode ? 'brand' : 'red'}>
            {form.values.check_mode
              ? t({ message: 'Check', context: 'verb' })
              : form.values.host === ''
                ? t`Run for all hosts`
                : t`Run`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface StopButtonProps {
  readonly playbook: string;
  readonly wanted: { readonly host: string; readonly provider: string };
}

/** Stops what was started here: the newest run of this person that is the same. Nothing is there until it is listed. */
function StopButton({ playbook, wanted: { host, provider } }: StopButtonProps) {
  const session = useSession();
  const listed = useAnswer('playbooks/list-runs', {}, { everySeconds: 2 });
  const stop = useAction('playbooks/cancel-run', { done: t`It ends within seconds`, changes: ['playbooks'] });
  const run = listed.data?.runs.find(
    (candidate) =>
      candidate.status === 'running' &&
      candidate.playbook === playbook &&
      candidate.provider === provider &&
      (candidate.hostname ?? '') === host &&
      candidate.started_by === session.user,
  );
  if (run === undefined || !may(session, 'playbooks/cancel-run')) return null;
  return (
    <Button color="red" variant="light" loading={stop.isPending} onClick={() => stop.mutate({ run: run.id })}>
      <Trans>Stop the run</Trans>
    </Button>
  );
}
