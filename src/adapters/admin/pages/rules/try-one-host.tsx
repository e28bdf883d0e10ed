import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, List, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { OfferedInput, OfferedOutput } from '../../offered-operations.ts';
import { type CallError, call } from '../calls/call.ts';
import { HostLink } from '../hosts/host-link.tsx';
import { sentence } from '../language/service-texts.ts';
import { Changes } from '../parts/changes.tsx';
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
          <Trans>Test on one host</Trans>
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
              label={t`Hostname`}
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
              <Trans>Test</Trans>
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
        {rule === null ? (
          <>
            {t`The rule does not run in the inventory of ${provider}.`} <HostLink hostname={hostname} />
          </>
        ) : (
          <Sentence outcome={rule.outcome} hostname={hostname} />
        )}
      </Text>
      {isOld && (
        <Text size="sm" c="dimmed">
          <Trans>The rule was changed since. Test again.</Trans>
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
      {changes.length > 0 && <Changes caption={t`Changes of ${hostname}`} changes={changes} />}
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
            {sentence(condition.text, condition.wording)}
            <Text span size="sm" c="dimmed" fw={400}>
              {condition.decided ? `; ${t`this decided`}` : ''}; {found(condition)}
            </Text>
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

function Holds({ holds }: { readonly holds: boolean | undefined }) {
  if (holds === undefined) return <IconMinus size={16} aria-label={t`not evaluated`} />;
  return holds ? (
    <IconCheck size={16} color="var(--mantine-color-green-6)" aria-label={t`holds`} />
  ) : (
    <IconX size={16} color="var(--mantine-color-red-6)" aria-label={t`does not hold`} />
  );
}

function found({ looked, holds }: Explained['conditions'][number]): string {
  if (holds === undefined) return t`not evaluated`;
  if (looked.length === 0) return t`the host has no such attribute`;
  const attributes = looked.map(({ name, value }) => `${name} = ${valueText(value)}`).join(', ');
  return t`the host has ${attributes}`;
}

interface SentenceProps {
  readonly outcome: Explained['outcome'];
  readonly hostname: string;
}

/** Describes the outcome of the rule on the host. */
function Sentence({ outcome, hostname }: SentenceProps) {
  switch (outcome) {
    case 'hit':
      return (
        <Trans>
          The rule hits <HostLink hostname={hostname} />
        </Trans>
      );
    case 'missed':
      return (
        <Trans>
          The rule does not hit <HostLink hostname={hostname} />
        </Trans>
      );
    case 'stopped':
      return (
        <Trans>
          An earlier rule with last match hit, so this one is not run on <HostLink hostname={hostname} />
        </Trans>
      );
    case 'left':
      return (
        <Trans>
          An earlier filter rule has hidden <HostLink hostname={hostname} />
        </Trans>
      );
    case 'broken':
      return (
        <Trans>
          The rule does not compile, and does nothing on <HostLink hostname={hostname} />
        </Trans>
      );
  }
}

const CHANGE_WORDS: Readonly<Record<Outcome['change'], string>> = {
  none: t`Nothing would change in its inventory.`,
  changed: t`In its inventory this would change:`,
  appears: t`The host would enter the inventory.`,
  disappears: t`The host would leave the inventory.`,
};
