import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JsonObject } from '../../../../ports/index.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { type CallError, call } from '../calls/call.ts';
import { may, useSession } from '../calls/session.ts';
import { textOf } from '../forms/document.ts';
import { AutoruleFaults, MadeRules } from './made-rules.tsx';

type Trial = OfferedOutput<'rules/try-autorule'>;

/** Shows the number of rules that an autorule makes in its present form, while it is written. */
export function AutoruleTrial({ document }: { readonly document: JsonObject }) {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const written = JSON.stringify({ ...document, name: document.name || t`New rule` });
  const [settled] = useDebouncedValue(written, 700);
  const isWritten = textOf(document.rule_type) !== '' && textOf(document.rule_body).trim() !== '';
  const trial = useQuery<Trial, CallError>({
    queryKey: ['rules/try-autorule', settled],
    // An outdated request is cancelled: the service stops counting.
    queryFn: ({ signal }) => call('rules/try-autorule', { document: JSON.parse(settled) as JsonObject }, signal),
    enabled: isWritten && may(session, 'rules/try-autorule'),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 30_000,
  });
  if (!isWritten) return null;
  const isCounting = trial.isFetching || settled !== written;
  return (
    <Stack gap="xs" aria-live="polite">
      <Text size="sm" fw={500}>
        {isCounting
          ? t`Counting the rules that it makes…`
          : trial.isError
            ? trial.error.message
            : trial.data !== undefined && trialWords(trial.data)}
      </Text>
      {trial.data !== undefined && !trial.isError && (
        <>
          <AutoruleFaults preview={trial.data} />
          {trial.data.first.length > 0 && (
            <div>
              <Button size="compact-xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {isOpen ? t`Hide the rules` : t`Show the rules`}
              </Button>
            </div>
          )}
          {isOpen && <MadeRules preview={trial.data} />}
        </>
      )}
      {trial.data?.is_exact === false && !isCounting && (
        <Text size="xs" c="dimmed">
          <Trans>There was no time to look at all hosts. The preview of the autorule does.</Trans>
        </Text>
      )}
    </Stack>
  );
}

function trialWords({ rules, existing, hosts, is_exact: isExact }: Trial): string {
  const makes = isExact
    ? t`A run makes ${plural(rules, { one: '# rule', other: '# rules' })} of ${plural(hosts, { one: '# host', other: '# hosts' })}.`
    : t`A run makes at least ${plural(rules, { one: '# rule', other: '# rules' })}, of the first ${plural(hosts, { one: '# host', other: '# hosts' })}.`;
  if (existing === 0) return makes;
  const kept = plural(existing, {
    one: 'For # host the rule is there already and stays as it is.',
    other: 'For # hosts the rule is there already and stays as it is.',
  });
  return `${makes} ${kept}`;
}
