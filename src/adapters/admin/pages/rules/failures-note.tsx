import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Problem } from '../parts/problem.tsx';
import type { Failures } from './rule-failures.ts';

interface FailuresNoteProps {
  readonly failures: Failures;
  /** Only rules of this type. */
  readonly type?: string;
}

/** Whether it is known what goes wrong in rules, where the list below it shows the errors of each. */
export function FailuresNote({ failures, type }: FailuresNoteProps) {
  const { hosts, isRunning, look, error } = failures;
  const list = failures.list?.filter((failure) => type === undefined || failure.type === type);
  if (error !== null) return <Problem error={error} />;
  if (look !== undefined) {
    return (
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          Errors are not counted automatically with so many hosts.
        </Text>
        <Button size="xs" variant="default" onClick={look}>
          Run all rules on {hosts.toLocaleString('en')} hosts and count
        </Button>
      </Group>
    );
  }
  if (list === undefined) {
    return isRunning ? (
      <Group gap="xs">
        <Loader size="xs" aria-hidden />
        <Text size="sm" c="dimmed" role="status">
          Running the rules on {hosts.toLocaleString('en')} hosts to count errors
        </Text>
      </Group>
    ) : null;
  }
  if (list.length === 0) {
    return (
      <Text size="sm" c="dimmed" role="status">
        No rule {type === undefined ? '' : 'of this type '}fails on any of {hosts.toLocaleString('en')} hosts.
      </Text>
    );
  }
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle />}
      p="xs"
      title={list.length === 1 ? '1 rule fails' : `${list.length} rules fail`}
    >
      <Text size="sm">
        Found by running all rules on {hosts.toLocaleString('en')} hosts. A template that fails gives an empty text.
      </Text>
    </Alert>
  );
}
