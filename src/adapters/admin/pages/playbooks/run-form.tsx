import { plural, t } from '@lingui/core/macro';
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
import { confirm } from '../parts/confirm.ts';
import { Problem } from '../parts/problem.tsx';
import { Output } from './output.tsx';
import type { Playbook } from './playbooks-page.tsx';
import { STATUS_WORDS } from './run.tsx';

/** Number of last characters shown here; the page of the run has more. */
const SHOWN_LENGTH = 64 * 1024;

/** A run for more hosts than this asks first. */
const UNASKED_HOSTS = 10;

/** Asks for the targets of a playbook, and shows its output. */
export function RunForm({ playbook }: { readonly playbook: Playbook }) {
  const queries = useQueryClient();
  const providers = useAnswer('inventory/list-providers', {});
  const [state, setState] = useState<'asking' | 'running' | 'ended'>('asking');
  const [output, setOutput] = useState('');
  const [error, setError] = useState<Error>();
  const [status, setStatus] = useState('');
  const printed = useRef('');
  const form = useForm({ initialValues: { host: '', provider: playbook.inventory, check_mode: true, extra_vars: '' } });

  const { host: wantedHost, provider: wantedProvider, check_mode: isCheck } = form.values;
  // Counted when it is to run for all of them: a run for one host needs no inventory.
  const counted = useAnswer(
    'inventory/browse-inventory',
    { provider: wantedProvider, limit: 1 },
    { enabled: wantedHost === '' },
  );
  const total = wantedHost !== '' ? 1 : counted.isPlaceholderData ? undefined : counted.data?.total;

  function submit(values: typeof form.values): void {
    // An inventory that cannot be counted may be a large one.
    if (values.host !== '' || (total !== undefined && total <= UNASKED_HOSTS)) return void run(values);
    const hosts = total === undefined ? t`all hosts` : plural(total, { one: '# host', other: '# hosts' });
    confirm({
      title: values.check_mode
        ? t`Check ${{ playbook: playbook.name }} on ${hosts}?`
        : t`Run ${{ playbook: playbook.name }} on ${hosts}?`,
      text: values.check_mode
        ? t`It connects to every host of the inventory ${{ provider: values.provider }} and reports what would change.`
        : t`It runs on every host of the inventory ${{ provider: values.provider }}. To try it on one host, choose that host first.`,
      yes: values.check_mode ? t`Check ${hosts}` : t`Run on ${hosts}`,
      isGentle: values.check_mode,
      onYes: () => void run(values),
    });
  }

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
    <form onSubmit={form.onSubmit(submit)}>
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
          <Button type="submit" color={isCheck ? 'brand' : 'red'}>
            <ButtonText isCheck={isCheck} isForAll={wantedHost === ''} total={total} />
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ButtonTextProps {
  readonly isCheck: boolean;
  readonly isForAll: boolean;
  /** Undefined while the hosts of the inventory are not counted. */
  readonly total: number | undefined;
}

function ButtonText({ isCheck, isForAll, total }: ButtonTextProps) {
  if (!isForAll) return isCheck ? t({ message: 'Check', context: 'verb' }) : t`Run`;
  if (total === undefined) return isCheck ? t`Check all hosts` : t`Run for all hosts`;
  return isCheck
    ? plural(total, { one: 'Check # host', other: 'Check # hosts' })
    : plural(total, { one: 'Run for # host', other: 'Run for # hosts' });
}

interface StopButtonProps {
  readonly playbook: string;
  readonly wanted: { readonly host: string; readonly provider: string };
}

/** Stops the run started here: the user's newest run with the same input. Hidden until it is listed. */
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
