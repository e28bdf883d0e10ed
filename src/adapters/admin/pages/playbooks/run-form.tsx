import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { callWithProgress } from '../calls/call.ts';
import { isChanged, useAnswer } from '../calls/use-call.ts';
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
            : t`It has ${status}.`}
        </Text>
        <Output text={output} follow={state === 'running'} />
        <Group justify="flex-end">
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
        <TextInput
          label={t`Host`}
          description={t`Empty runs it for every host of the inventory`}
          data-autofocus
          {...form.getInputProps('host')}
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
