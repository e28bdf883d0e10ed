import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { call } from '../../calls/call.ts';
import { useAction } from '../../calls/use-call.ts';
import { Problem } from '../../parts/problem.tsx';
import { useLeaveGuard } from '../../parts/use-leave-guard.ts';
import { HOST_CHANGES, type Host } from '../host.ts';
import { focusFirstProblem } from './focus-first-problem.ts';
import { draftsOf, labelsOf, problemsOf, writtenOf } from './label-drafts.ts';
import { LabelEditor } from './label-editor.tsx';

interface EditLabelsProps {
  readonly host: Host;
  readonly onEnd: () => void;
}

/** Replaces the labels that the account of a host gives it. */
export function EditLabels({ host: { hostname, account, own_labels: given }, onEnd }: EditLabelsProps) {
  const [before, setBefore] = useState(given);
  const [first, setFirst] = useState(() => draftsOf(given));
  const [drafts, setDrafts] = useState(first);
  const [isChecked, setChecked] = useState(false);
  const [meanwhile, setMeanwhile] = useState<typeof given>();
  const queries = useQueryClient();
  const save = useAction('hosts/save-host', { done: t`Labels saved`, changes: HOST_CHANGES, showsProblem: true });
  const [problem, setProblem] = useState<Error>();
  const written = writtenOf(drafts);
  const problems = problemsOf(written);
  useLeaveGuard(drafts !== first);
  const form = useRef<HTMLFormElement>(null);
  // The button that opened it has disappeared: the next key continues from here.
  useEffect(() => form.current?.focus(), []);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    flushSync(() => setChecked(true));
    setProblem(undefined);
    if (problems.length > 0) {
      focusFirstProblem(event.currentTarget);
      return;
    }
    if (account === null) return;
    try {
      // The whole set is replaced, so changes made by others since it was read would be lost.
      const { own_labels: now } = await call('hosts/show-host', { hostname });
      if (JSON.stringify(now) !== JSON.stringify(before)) {
        setMeanwhile(now);
        return;
      }
      await save.mutateAsync({ hostname, account: account.name, labels: labelsOf(written) });
      onEnd();
    } catch (error) {
      setProblem(error as Error);
    }
  }

  function takeOver(labels: typeof given): void {
    setBefore(labels);
    const fresh = draftsOf(labels);
    setFirst(fresh);
    setDrafts(fresh);
    setMeanwhile(undefined);
    void queries.invalidateQueries({ queryKey: ['hosts/show-host'] });
  }

  return (
    <form
      ref={form}
      tabIndex={-1}
      style={{ outline: 'none' }}
      onSubmit={(event) => void submit(event)}
      // A key never discards input.
      onKeyDown={({ key }) => key === 'Escape' && drafts === first && onEnd()}
      aria-label={t`Edit labels`}
      noValidate
    >
      <Stack gap="sm" mt="xs">
        {problem !== undefined && <Problem error={problem} />}
        {meanwhile !== undefined && (
          <Alert color="yellow" title={t`Someone changed the labels meanwhile`} role="alert">
            <Stack align="flex-start" gap="xs">
              <Trans>Nothing was saved. Load the current labels and make your change again.</Trans>
              <Button size="xs" variant="default" onClick={() => takeOver(meanwhile)}>
                <Trans>Load the current labels</Trans>
              </Button>
            </Stack>
          </Alert>
        )}
        <LabelEditor drafts={drafts} onChange={setDrafts} problems={isChecked ? problems : []} verb={t`save`} />
        <Group>
          <Button type="submit" loading={save.isPending}>
            <Trans>Save labels</Trans>
          </Button>
          <Button variant="default" onClick={onEnd}>
            <Trans>Cancel</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
