import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Autocomplete, Button, Group, List, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { OfferedInput, OfferedOutput } from '../../../offered-operations.ts';
import { type CallError, call } from '../../calls/call.ts';
import { may, useSession } from '../../calls/session.ts';
import { isChanged, showProblem } from '../../calls/use-call.ts';
import { numberText } from '../../language/numbers.ts';
import { Changes } from '../../parts/changes.tsx';
import { Problem } from '../../parts/problem.tsx';
import { reportWithUndo } from '../../parts/report-with-undo.tsx';
import { HOST_CHANGES, type Labels } from '../host.ts';
import { useKnownNames, useKnownValues } from './known-labels.ts';

type HostChange = NonNullable<OfferedInput<'hosts/change-labels'>['hosts']>[number];
type Outcome = OfferedOutput<'hosts/change-labels'>;

const AT_ONCE = 1000;
const SHOWN = 10;

interface ChangeLabelsProps {
  readonly hostnames: readonly string[];
  readonly onDone: () => void;
}

/** Sets or removes a label of the selected hosts: first shows the changes, then applies them, with an undo. */
export function ChangeLabels({ hostnames, onDone }: ChangeLabelsProps) {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  if (!may(session, 'hosts/change-labels')) return null;
  const count = hostnames.length;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        <Trans>Change a label…</Trans>
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t`Change a label of ${plural(count, { one: '# host', other: '# hosts' })}`}
        size="lg"
      >
        <LabelForm
          hostnames={hostnames}
          onCancel={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            onDone();
          }}
        />
      </Modal>
    </>
  );
}

function LabelForm({ hostnames, onCancel, onDone }: ChangeLabelsProps & { readonly onCancel: () => void }) {
  const queries = useQueryClient();
  const [act, setAct] = useState('set');
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [isValued, setValued] = useState(false);
  const names = useKnownNames(true);
  const values = useKnownValues(name.trim(), isValued);
  const change = { name: name.trim(), ...(act === 'set' && { value: value }) };
  const preview = useMutation<Outcome, CallError>({
    mutationFn: () => inLots(changesOf(hostnames, change), true),
  });
  const count = preview.data?.changed.length ?? 0;
  const save = useMutation<Outcome, CallError, readonly HostChange[]>({
    mutationFn: (changes) => inLots(changes, false),
    onError: showProblem,
    onSettled: () =>
      queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged([...HOST_CHANGES, 'search'], queryKey[0]) }),
  });

  function look(event: FormEvent): void {
    event.preventDefault();
    if (change.name !== '') preview.mutate();
  }

  function apply(): void {
    save.mutate(changesOf(hostnames, change), {
      onSuccess(outcome) {
        onDone();
        reportWithUndo(changedText(change.name, outcome.changed.length), () => save.mutate(undoOf(outcome)));
      },
    });
  }

  function forget(): void {
    preview.reset();
  }

  return (
    <form onSubmit={look}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label={t`Action for the label`}
          data={[
            { value: 'set', label: t`Set` },
            { value: 'remove', label: t`Remove` },
          ]}
          value={act}
          onChange={(next) => {
            setAct(next);
            forget();
          }}
        />
        <Group align="flex-end" grow>
          <Autocomplete
            label={t`Label`}
            required
            data-autofocus
            data={[...names]}
            limit={20}
            value={name}
            onChange={(changed) => {
              setName(changed);
              forget();
            }}
          />
          {act === 'set' && (
            <Autocomplete
              label={t`Value`}
              // Suggesting the text already typed would only cover the next field.
              data={values.filter((known) => known !== value)}
              limit={20}
              value={value}
              onFocus={() => setValued(true)}
              onChange={(changed) => {
                setValue(changed);
                forget();
              }}
            />
          )}
        </Group>
        {preview.isError && <Problem error={preview.error} />}
        <div aria-live="polite">{preview.data !== undefined && <Effect outcome={preview.data} change={change} />}</div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
          {preview.data === undefined ? (
            <Button type="submit" loading={preview.isPending}>
              <Trans>Show what would change</Trans>
            </Button>
          ) : (
            <Button loading={save.isPending} disabled={count === 0} onClick={apply}>
              {t`Change ${plural(count, { one: '# host', other: '# hosts' })}`}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

interface LabelChange {
  readonly name: string;
  /** Absent: it is removed. */
  readonly value?: Labels[string];
}

function Effect({ outcome, change }: { readonly outcome: Outcome; readonly change: LabelChange }) {
  const { changed, unchanged, refused } = outcome;
  const reasons = new Map<string, number>();
  for (const { reason } of refused) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const unnamed = numberText(changed.length - SHOWN);
  return (
    <Stack gap="xs">
      <Text size="sm">{effectText(changed.length, unchanged, refused.length)}</Text>
      {changed.length > 0 && (
        <Changes
          caption={t`Planned changes`}
          changes={changed.slice(0, SHOWN).map(({ hostname, before }) => ({
            path: hostname,
            ...(Object.hasOwn(before, change.name) && { before: before[change.name] }),
            ...('value' in change && { after: change.value }),
          }))}
        />
      )}
      {changed.length > SHOWN && (
        <Text size="sm" c="dimmed">
          <Trans>and {unnamed} more</Trans>
        </Text>
      )}
      {reasons.size > 0 && (
        <List size="sm">
          {[...reasons].map(([reason, hosts]) => (
            <List.Item key={reason}>
              <Plural value={hosts} one="# host" other="# hosts" />: {reason}
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}

function changedText(label: string, count: number): string {
  return t`Changed ${label} of ${plural(count, { one: '# host', other: '# hosts' })}`;
}

function effectText(changed: number, unchanged: number, refused: number): string {
  const parts = [
    changed === 0
      ? t`No host would change`
      : plural(changed, { one: '# host would change', other: '# hosts would change' }),
  ];
  if (unchanged > 0) parts.push(plural(unchanged, { one: '# host is so already', other: '# hosts are so already' }));
  if (refused > 0) parts.push(plural(refused, { one: '# host cannot be changed', other: '# hosts cannot be changed' }));
  return `${parts.join('; ')}.`;
}

function changesOf(hostnames: readonly string[], { name, value }: LabelChange): readonly HostChange[] {
  return hostnames.map((hostname) => ({
    hostname,
    ...(value === undefined ? { remove: [name] } : { set: { [name]: value } }),
  }));
}

/** Returns the changes that restore labels. */
export function undoOf({ changed }: Pick<Outcome, 'changed'>): readonly HostChange[] {
  return changed.map(({ hostname, before, added }) => ({ hostname, set: before, remove: added }));
}

async function inLots(changes: readonly HostChange[], isDry: boolean): Promise<Outcome> {
  const all: Outcome = { changed: [], unchanged: 0, refused: [] };
  for (let start = 0; start < changes.length; start += AT_ONCE) {
    const hosts = changes.slice(start, start + AT_ONCE);
    const { changed, unchanged, refused } = await call('hosts/change-labels', { hosts, dry_run: isDry });
    all.changed.push(...changed);
    all.unchanged += unchanged;
    all.refused.push(...refused);
  }
  return all;
}
