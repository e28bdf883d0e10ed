import { Button, Group, List, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { OfferedInput, OfferedOutput } from '../../offered-operations.ts';
import { type CallError, call } from '../calls/call.ts';
import { Changes } from '../parts/changes.tsx';
import { TextLink } from '../parts/links.tsx';
import { Problem } from '../parts/problem.tsx';
import { valueText } from '../parts/value-text.ts';
import { isCurrent, type Trial } from './trial.ts';

type Outcome = OfferedOutput<'rules/try-rule'>;
type Explained = NonNullable<Outcome['rule']>;

/** Whether the rule hits one host, and why. */
export function TryOneHost({ trial }: { readonly trial: Trial }) {
  const [hostname, setHostname] = useState('');
  const [tried, setTried] = useState<Trial>();
  const attempt = useMutation<Outcome, CallError, OfferedInput<'rules/try-rule'>>({
    mutationFn: (input) => call('rules/try-rule', input),
    onError: (error) => trial.onProblem(error, ''),
  });
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Title order={3} size="h5">
          Test on one host
        </Title>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setTried(trial);
            const { type, document, provider } = trial;
            attempt.mutate({ rule_type: type.id, document, hostname, project: provider });
          }}
        >
          <Group gap="xs" align="flex-end">
            <TextInput
              label="Hostname"
              size="xs"
              required
              flex={1}
              value={hostname}
              onChange={(event) => setHostname(event.currentTarget.value)}
            />
            <Button
              type="submit"
              size="xs"
              variant="default"
              loading={attempt.isPending}
              disabled={!trial.isReady || hostname.trim() === ''}
            >
              Test
            </Button>
          </Group>
        </form>
        <div aria-live="polite">
          {attempt.isError && isCurrent(tried, trial) && <Problem error={attempt.error} />}
          {attempt.data !== undefined && !attempt.isPending && (
            <Result outcome={attempt.data} provider={tried?.provider ?? ''} isOld={!isCurrent(tried, trial)} />
          )}
        </div>
      </Stack>
    </Paper>
  );
}

interface ResultProps {
  readonly outcome: Outcome;
  readonly provider: string;
  readonly isOld: boolean;
}

function Result({ outcome, provider, isOld }: ResultProps) {
  const { rule, hostname, change, changes } = outcome;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {rule === null ? `The rule does not run in the inventory of ${provider}.` : sentence(rule)}{' '}
        <TextLink to="/hosts/$hostname" params={{ hostname }} size="sm">
          {hostname}
        </TextLink>
      </Text>
      {isOld && (
        <Text size="sm" c="dimmed">
          The rule was changed since. Test again.
        </Text>
      )}
      {rule !== null && <Conditions rule={rule} />}
      {rule !== null && rule.errors.length > 0 && (
        <List size="sm" c="red">
          {rule.errors.map((error) => (
            <List.Item key={error}>{error}</List.Item>
          ))}
        </List>
      )}
      <Text size="sm">{CHANGE_WORDS[change]}</Text>
      {changes.length > 0 && <Changes caption={`Changes of ${hostname}`} changes={changes} />}
    </Stack>
  );
}

function Conditions({ rule }: { readonly rule: Explained }) {
  return (
    <Stack gap={4}>
      {rule.conditions.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other identity
        <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
          <Holds holds={condition.holds} />
          <Text size="sm" className="wrap-anywhere" fw={condition.decided ? 600 : undefined}>
            {condition.text}
            <Text span size="sm" c="dimmed" fw={400}>
              {condition.decided ? '; this decided' : ''}
              {found(condition)}
            </Text>
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

function Holds({ holds }: { readonly holds: boolean | undefined }) {
  if (holds === undefined) return <IconMinus size={16} aria-label="not evaluated" />;
  return holds ? (
    <IconCheck size={16} color="var(--mantine-color-green-6)" aria-label="holds" />
  ) : (
    <IconX size={16} color="var(--mantine-color-red-6)" aria-label="does not hold" />
  );
}

function found({ looked, holds }: Explained['conditions'][number]): string {
  if (holds === undefined) return '; not evaluated';
  if (looked.length === 0) return '; the host has no such attribute';
  return `; the host has ${looked.map(({ name, value }) => `${name} = ${valueText(value)}`).join(', ')}`;
}

const OUTCOMES: Readonly<Record<Explained['outcome'], string>> = {
  hit: 'The rule hits',
  missed: 'The rule does not hit',
  stopped: 'An earlier rule with last match hit, so this one is not run on',
  left: 'An earlier filter rule has hidden',
  broken: 'The rule does not compile, and does nothing on',
};

function sentence(rule: Explained): string {
  return OUTCOMES[rule.outcome];
}

const CHANGE_WORDS: Readonly<Record<Outcome['change'], string>> = {
  none: 'Nothing would change in its inventory.',
  changed: 'In its inventory this would change:',
  appears: 'The host would enter the inventory.',
  disappears: 'The host would leave the inventory.',
};
