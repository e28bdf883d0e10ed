import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OfferedInput } from '../../offered-operations.ts';
import { type CallError, call, post } from '../calls/call.ts';
import { may, useSession } from '../calls/session.ts';
import { isChanged, showProblem } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';
import { ButtonLink } from '../parts/links.tsx';
import { tellWithUndo } from '../parts/tell-with-undo.tsx';
import { HOST_CHANGES } from './host.ts';
import { ChangeLabels } from './labels/change-labels.tsx';

/** One call takes no more; and so many are the most that somebody selects at once. */
const AT_ONCE = 1000;
const MOST_SELECTED = 10_000;
const NAMED = 10;

type Act = 'archive' | 'restore' | 'purge';

interface BulkActionsProps {
  readonly selected: ReadonlySet<string>;
  readonly select: (hostnames: Iterable<string>) => void;
  /** The hosts of this page. */
  readonly page: readonly string[];
  readonly asked: OfferedInput<'search/host-table'>;
  readonly acts: readonly Act[];
}

/** What can be done with the selected hosts at once. */
export function BulkActions({ selected, select, page, asked, acts }: BulkActionsProps) {
  const session = useSession();
  const [question, setQuestion] = useState<Act>();
  const queries = useQueryClient();
  const run = useMutation<readonly string[], CallError, { readonly act: Act; readonly names: readonly string[] }>({
    mutationFn: ({ act, names }) => inLots(act, names),
    onError: showProblem,
    onSettled: () =>
      queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged([...HOST_CHANGES, 'search'], queryKey[0]) }),
    onSuccess(done, { act, names }) {
      select([]);
      setQuestion(undefined);
      const left = names.length - done.length;
      const rest = left === 0 ? '' : `; ${plural(left, { one: '# host', other: '# hosts' })} ${LEFT[act]}`;
      const text = `${capital(PAST[act])} ${plural(done.length, { one: '# host', other: '# hosts' })}${rest}`;
      if (act === 'purge') notifications.show({ message: text, color: 'green' });
      else tellWithUndo(text, () => run.mutate({ act: act === 'archive' ? 'restore' : 'archive', names: done }));
    },
  });
  const all = useMutation<readonly string[], CallError>({
    mutationFn: async () => {
      const input = { ...asked, format: 'name' as const, limit: MOST_SELECTED };
      const text = await (await post('search/host-table', input, 'text/plain')).text();
      return text.split('\n').filter((name) => name !== '');
    },
    onSuccess: select,
    onError: showProblem,
  });
  if (!may(session, 'hosts/archive-hosts') || page.length === 0) return null;
  const isWhole = page.every((name) => selected.has(name));
  return (
    <Group gap="xs" my="xs" role="group" aria-label={t`Selection`}>
      <Text size="sm" aria-live="polite">
        {selected.size === 0 ? t`None selected` : t`${numberText(selected.size)} selected`}
      </Text>
      {!isWhole && (
        <Button size="compact-sm" variant="subtle" onClick={() => select([...selected, ...page])}>
          <Trans>Select this page</Trans>
        </Button>
      )}
      {isWhole && (
        <Button size="compact-sm" variant="subtle" loading={all.isPending} onClick={() => all.mutate()}>
          <Trans>Select all that match</Trans>
        </Button>
      )}
      {selected.size > 0 && (
        <>
          <Button size="compact-sm" variant="subtle" onClick={() => select([])}>
            <Trans>Select none</Trans>
          </Button>
          {selected.size === 2 && <CompareTwo hostnames={[...selected]} />}
          <ChangeLabels hostnames={[...selected]} onDone={() => select([])} />
          {acts.map((act) => (
            <Button key={act} size="compact-sm" variant="default" onClick={() => setQuestion(act)}>
              {NAMES[act]}…
            </Button>
          ))}
        </>
      )}
      <Modal
        opened={question !== undefined}
        onClose={() => setQuestion(undefined)}
        title={
          question === undefined ? '' : QUESTIONS[question](plural(selected.size, { one: '# host', other: '# hosts' }))
        }
      >
        <Stack>
          <Text size="sm">{question === undefined ? '' : WHAT_IT_DOES[question]}</Text>
          <List size="sm">
            {[...selected].slice(0, NAMED).map((name) => (
              <List.Item key={name} className="wrap-anywhere">
                {name}
              </List.Item>
            ))}
          </List>
          {selected.size > NAMED && <Text size="sm">and {numberText(selected.size - NAMED)} more</Text>}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setQuestion(undefined)}>
              <Trans>Cancel</Trans>
            </Button>
            <Button
              {...(question !== 'restore' && { color: 'red' })}
              loading={run.isPending}
              onClick={() => question !== undefined && run.mutate({ act: question, names: [...selected] })}
            >
              {question === undefined ? '' : NAMES[question]}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Group>
  );
}

function CompareTwo({ hostnames: [left, right] }: { readonly hostnames: readonly string[] }) {
  return (
    <ButtonLink size="compact-sm" variant="default" to="/hosts/compare" search={{ left, right }}>
      <Trans>Compare</Trans>
    </ButtonLink>
  );
}

const NAMES = { archive: t`Archive`, restore: t`Restore`, purge: t`Delete for good` } as const;
const QUESTIONS: Readonly<Record<Act, (hosts: string) => string>> = {
  archive: (hosts) => t`Archive ${hosts}?`,
  restore: (hosts) => t`Restore ${hosts}?`,
  purge: (hosts) => t`Delete ${hosts} for good?`,
};
const PAST = { archive: 'archived', restore: 'restored', purge: 'deleted' } as const;
const WHAT_IT_DOES: Readonly<Record<Act, string>> = {
  archive: t`They disappear from all lists and inventories. No import and no API write brings them back until someone restores them.`,
  restore: t`They are active again, as they were.`,
  purge: t`They go with their labels, sections, history and relations, and nothing brings them back. A source that still has them makes them anew with its next import. Active hosts among them stay.`,
};
const LEFT: Readonly<Record<Act, string>> = {
  archive: t`had been archived already, or is gone`,
  restore: t`had been restored already, or is gone`,
  purge: t`is active, or is gone already`,
};

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The hosts with which it was done. */
async function inLots(act: Act, names: readonly string[]): Promise<readonly string[]> {
  const done: string[] = [];
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const hostnames = names.slice(start, start + AT_ONCE);
    if (act === 'archive') done.push(...(await call('hosts/archive-hosts', { hostnames })).archived);
    else if (act === 'purge') done.push(...(await call('search/purge-hosts', { hostnames })).hostnames);
    else done.push(...(await call('hosts/restore-hosts', { hostnames })).restored);
  }
  return done;
}
