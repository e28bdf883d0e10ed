import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { numberText } from '../language/numbers.ts';
import { Problem } from '../parts/problem.tsx';
import type { Failures } from './rule-failures.ts';

interface FailuresNoteProps {
  readonly failures: Failures;
  /** Only rules of this type. */
  readonly type?: string;
}

/** Whether it is known what goes wrong in rules, where the list below it shows the errors of each. */
export function FailuresNote({ failures, type }: FailuresNoteProps) {
  const { isRunning, look, error } = failures;
  const hosts = numberText(failures.hosts);
  const list = failures.list?.filter((failure) => type === undefined || failure.type === type);
  if (error !== null) return <Problem error={error} />;
  if (look !== undefined) {
    return (
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          <Trans>Errors are not counted automatically with so many hosts.</Trans>
        </Text>
        <Button size="xs" variant="default" onClick={look}>
          <Trans>Run all rules on {hosts} hosts and count</Trans>
        </Button>
      </Group>
    );
  }
  if (list === undefined) {
    return isRunning ? (
      <Group gap="xs">
        <Loader size="xs" aria-hidden />
        <Text size="sm" c="dimmed" role="status">
          <Trans>Running the rules on {hosts} hosts to count errors</Trans>
        </Text>
      </Group>
    ) : null;
  }
  if (list.length === 0) {
    return (
      <Text size="sm" c="dimmed" role="status">
        {type === undefined
          ? t`No rule fails on any of ${hosts} hosts.`
          : t`No rule of this type fails on any of ${hosts} hosts.`}
      </Text>
    );
  }
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle />}
      p="xs"
      title={plural({ count: list.length }, { one: '# rule fails', other: '# rules fail' })}
    >
      <Text size="sm">
        <Trans>Found by running all rules on {hosts} hosts. A template that fails gives an empty text.</Trans>
      </Text>
    </Alert>
  );
}
