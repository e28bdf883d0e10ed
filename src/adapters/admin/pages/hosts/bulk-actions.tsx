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
import { reportWithUndo } from '../parts/report-with-undo.tsx';
import { HOST_CHANGES } from './host.ts';
import { ChangeLabels } from './labels/change-labels.tsx';
import { MakeRuleOfHosts } from './make-rule.tsx';

/** Most hosts of one call, and most that can be selected at once. */
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

function selectedText(count: number): string {
  const chosen = numberText(count);
  return count < MOST_SELECTED ? t`${chosen} selected` : t`${chosen} selected, the most at once`;
}

/** Actions on all selected hosts at once. */
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
      const text = outcomeText(act, done.length, names.length - done.length);
      if (act === 'purge') notifications.show({ message: text, color: 'green' });
      else reportWithUndo(text, () => run.mutate({ act: act === 'archive' ? 'restore' : 'archive', names: done }));
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
  const unnamed = numberText(selected.size - NAMED);
  return (
    <Group gap="xs" role="group" aria-label={t`Selection`} className="not-printed">
      <Text size="sm" aria-live="polite">
        {selected.size > 0 && selectedText(selected.size)}
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
          <MakeRuleOfHosts hostnames={[...selected]} />
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
        title={question === undefined ? '' : questionText(question, selected.size)}
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
          {selected.size > NAMED && (
            <Text size="sm">
              <Trans>and {unnamed} more</Trans>
            </Text>
          )}
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
const WHAT_IT_DOES: Readonly<Record<Act, string>> = {
  archive: t`They disappear from all lists and inventories. No import and no API write brings them back until someone restores them.`,
  restore: t`They are active again, as they were.`,
  purge: t`Their labels, sections, history and relations are deleted too, and this cannot be undone. A source that still has them creates them again with its next import. Active hosts among them stay.`,
};

function questionText(act: Act, count: number): string {
  switch (act) {
    case 'archive':
      return t`Archive ${plural(count, { one: '# host', other: '# hosts' })}?`;
    case 'restore':
      return t`Restore ${plural(count, { one: '# host', other: '# hosts' })}?`;
    case 'purge':
      return t`Delete ${plural(count, { one: '# host', other: '# hosts' })} for good?`;
  }
}

/** Describes the number of changed hosts, and the reason for skipping others. */
function outcomeText(act: Act, done: number, left: number): string {
  return left === 0 ? doneText(act, done) : `${doneText(act, done)}; ${leftText(act, left)}`;
}

function doneText(act: Act, count: number): string {
  switch (act) {
    case 'archive':
      return plural(count, { one: 'Archived # host', other: 'Archived # hosts' });
    case 'restore':
      return plural(count, { one: 'Restored # host', other: 'Restored # hosts' });
    case 'purge':
      return plural(count, { one: 'Deleted # host', other: 'Deleted # hosts' });
  }
}

function leftText(act: Act, count: number): string {
  switch (act) {
    case 'archive':
      return plural(count, {
        one: '# host had been archived already, or is gone',
        other: '# hosts had been archived already, or are gone',
      });
    case 'restore':
      return plural(count, {
        one: '# host had been restored already, or is gone',
        other: '# hosts had been restored already, or are gone',
      });
    case 'purge':
      return plural(count, {
        one: '# host is active, or is gone already',
        other: '# hosts are active, or are gone already',
      });
  }
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
