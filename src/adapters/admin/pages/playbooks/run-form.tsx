import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { callWithProgress } from '../calls/call.ts';
import { may, useSession } from '../calls/session.ts';
import { isChanged, useAction, useAnswer } from '../calls/use-call.ts';
import { Problem } from '../parts/problem.tsx';
import { type Limit, LimitFields, limitMembers, namesText, useRunHosts } from './limit-fields.tsx';
import { Output } from './output.tsx';
import { type PlaybookRun, STATUS_WORDS } from './run.tsx';

/** Number of last characters shown here; the page of the run has more. */
const SHOWN_LENGTH = 64 * 1024;

/** A run for more hosts than this asks first. */
const UNASKED_HOSTS = 10;

const WHOLE: Limit = { kind: 'all', host: '', search: '', group: '' };

type Playbook = OfferedOutput<'playbooks/list-playbooks'>['playbooks'][number];
type RunHosts = OfferedOutput<'playbooks/preview-run'>;

/** Opens the form; `again` is a run whose choices fill it. */
export function askForRun(playbook: Playbook, again?: PlaybookRun): void {
  const title = again === undefined ? t`Run ${{ name: playbook.name }}` : t`Run ${{ name: playbook.name }} again`;
  modals.open({ title, size: '56rem', children: <RunForm playbook={playbook} again={again} /> });
}

function limitOf({ hostname, search, group }: PlaybookRun): Limit {
  const kind = hostname !== null ? 'host' : search !== null ? 'search' : group !== null ? 'group' : 'all';
  return { kind, host: hostname ?? '', search: search ?? '', group: group ?? '' };
}

interface RunFormProps {
  readonly playbook: Playbook;
  readonly again: PlaybookRun | undefined;
}

/** Asks for the targets of a playbook, and shows its output. */
function RunForm({ playbook, again }: RunFormProps) {
  const queries = useQueryClient();
  const providers = useAnswer('inventory/list-providers', {});
  const [state, setState] = useState<'asking' | 'sure' | 'running' | 'ended'>('asking');
  const [output, setOutput] = useState('');
  const [error, setError] = useState<Error>();
  const [status, setStatus] = useState('');
  const [limit, setLimit] = useState<Limit>(again === undefined ? WHOLE : limitOf(again));
  const printed = useRef('');
  const form = useForm({
    initialValues: {
      provider: again?.provider ?? playbook.inventory,
      check_mode: again?.check_mode ?? true,
      extra_vars: '',
    },
  });

  const { provider, check_mode: isCheck } = form.values;
  const found = useRunHosts(playbook.file, provider, limit);
  const total = found.hosts?.hosts;
  const missed = form.values.extra_vars === '' ? (again?.variables ?? []) : [];

  function submit(): void {
    if (total === undefined) return;
    if (total > UNASKED_HOSTS) setState('sure');
    else void run(form.values);
  }

  async function run({ provider, check_mode, extra_vars }: typeof form.values): Promise<void> {
    setState('running');
    setError(undefined);
    printed.current = '';
    setOutput('');
    const wanted = {
      playbook: playbook.file,
      provider,
      check_mode,
      ...limitMembers(limit),
      ...(extra_vars === '' ? {} : { extra_vars }),
    };
    const listAgain = () =>
      queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(['playbooks'], queryKey[0]) });
    let isListed = false;
    try {
      const ended = await callWithProgress('playbooks/run-playbook', wanted, (progress) => {
        if (progress.output === undefined) return;
        if (!isListed) void listAgain();
        isListed = true;
        printed.current = (printed.current + progress.output).slice(-SHOWN_LENGTH);
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

  if (state === 'sure' && found.hosts !== undefined) {
    // A second dialog would reset this form.
    return (
      <Question
        {...{ name: playbook.name, provider, limit, isCheck, found: found.hosts }}
        onNo={() => setState('asking')}
        onYes={() => void run(form.values)}
      />
    );
  }
  if (state === 'running' || state === 'ended') {
    return (
      <Stack>
        <Text size="sm" role="status">
          {state === 'running'
            ? t`It runs, and continues when you close this; it is in the list below.`
            : t`It has ended: ${status}`}
        </Text>
        <Output text={output} follow={state === 'running'} />
        <Group justify="flex-end">
          {state === 'running' && <StopButton provider={provider} limit={limit} playbook={playbook.file} />}
          <Button variant="default" onClick={() => modals.closeAll()}>
            <Trans>Close</Trans>
          </Button>
        </Group>
      </Stack>
    );
  }
  // Not a form: Enter in the search field must never start a run.
  return (
    <Stack>
      {error !== undefined && <Problem error={error} />}
      <Select
        label={t`Inventory`}
        data={providers.data?.providers.map(({ name }) => name) ?? [provider]}
        allowDeselect={false}
        {...form.getInputProps('provider')}
      />
      <LimitFields provider={provider} limit={limit} onChange={setLimit} found={found} />
      <TextInput
        label={t`Further variables`}
        description={t`name=value pairs, or a JSON object`}
        {...form.getInputProps('extra_vars')}
        error={
          missed.length > 0 && t`That run had ${{ names: missed.join(', ') }}. Values are not kept; write them again.`
        }
      />
      <Checkbox
        label={t`Only report what would change (check mode)`}
        {...form.getInputProps('check_mode', { type: 'checkbox' })}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={() => modals.closeAll()}>
          <Trans>Cancel</Trans>
        </Button>
        <Button color={isCheck ? 'brand' : 'red'} disabled={total === undefined} onClick={submit}>
          <ButtonText isCheck={isCheck} isForOne={limit.kind === 'host'} total={total} />
        </Button>
      </Group>
    </Stack>
  );
}

interface QuestionProps {
  /** Name of the playbook. */
  readonly name: string;
  readonly provider: string;
  readonly limit: Limit;
  readonly isCheck: boolean;
  readonly found: RunHosts;
  readonly onNo: () => void;
  readonly onYes: () => void;
}

/** Asks before a run for many hosts. */
function Question({ name, provider, limit, isCheck, found, onNo, onYes }: QuestionProps) {
  const hosts = plural(found.hosts, { one: '# host', other: '# hosts' });
  const names = namesText(found.first, found.hosts);
  const ofAll = isCheck
    ? t`It connects to every host of the inventory ${{ provider }} and reports what would change.`
    : t`It runs on every host of the inventory ${{ provider }}. To try it on one host, choose that host first.`;
  const ofSome = isCheck ? t`It connects to ${names} and reports what would change.` : t`It runs on ${names}.`;
  return (
    <Stack>
      <div role="alert">
        <Text fw={600}>
          {isCheck ? t`Check ${{ playbook: name }} on ${hosts}?` : t`Run ${{ playbook: name }} on ${hosts}?`}
        </Text>
        <Text className="wrap-anywhere">{limit.kind === 'all' ? ofAll : ofSome}</Text>
      </div>
      <Group justify="flex-end">
        <Button variant="default" autoFocus onClick={onNo}>
          <Trans>Back</Trans>
        </Button>
        <Button color={isCheck ? 'brand' : 'red'} onClick={onYes}>
          {isCheck ? t`Check ${hosts}` : t`Run on ${hosts}`}
        </Button>
      </Group>
    </Stack>
  );
}

interface ButtonTextProps {
  readonly isCheck: boolean;
  readonly isForOne: boolean;
  /** Undefined while the hosts are not counted. */
  readonly total: number | undefined;
}

function ButtonText({ isCheck, isForOne, total }: ButtonTextProps) {
  if (isForOne || total === undefined) return isCheck ? t({ message: 'Check', context: 'verb' }) : t`Run`;
  return isCheck
    ? plural(total, { one: 'Check # host', other: 'Check # hosts' })
    : plural(total, { one: 'Run for # host', other: 'Run for # hosts' });
}

interface StopButtonProps {
  readonly playbook: string;
  readonly provider: string;
  readonly limit: Limit;
}

/** Stops the run started here: the user's newest run with the same input. Hidden until it is listed. */
function StopButton({ playbook, provider, limit }: StopButtonProps) {
  const session = useSession();
  const listed = useAnswer('playbooks/list-runs', {}, { everySeconds: 2 });
  const stop = useAction('playbooks/cancel-run', { changes: ['playbooks'] });
  const { host = null, search = null, group = null } = limitMembers(limit) ?? {};
  const run = listed.data?.runs.find(
    (candidate) =>
      candidate.status === 'running' &&
      candidate.playbook === playbook &&
      candidate.provider === provider &&
      candidate.hostname === host &&
      candidate.search === search &&
      candidate.group === group &&
      candidate.started_by === session.user,
  );
  if (run === undefined || !may(session, 'playbooks/cancel-run')) return null;
  if (stop.isSuccess) return <Text size="sm">{t`It ends within seconds`}</Text>;
  return (
    <Button color="red" variant="light" loading={stop.isPending} onClick={() => stop.mutate({ run: run.id })}>
      <Trans>Stop the run</Trans>
    </Button>
  );
}
