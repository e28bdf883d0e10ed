import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { StatusBadge } from '../parts/status-badge.tsx';

interface OverviewPanelProps {
  readonly title: ReactNode;
  /** How many things want somebody's attention; absent while that is not known. */
  readonly problems?: number | undefined;
  readonly children: ReactNode;
}

/** What there is to know of one room, with the link to it. */
export function OverviewPanel({ title, problems, children }: OverviewPanelProps) {
  return (
    <Paper withBorder p="sm" component="section" miw={0} mih={150}>
      <Group justify="space-between" mb={6}>
        <Title order={2} size="h5">
          {title}
        </Title>
        {problems !== undefined && (
          <StatusBadge tone={problems === 0 ? 'good' : 'bad'}>
            {problems === 0 ? 'ok' : `${problems} to check`}
          </StatusBadge>
        )}
      </Group>
      {children}
    </Paper>
  );
}

interface Line {
  readonly key: string;
  readonly name: ReactNode;
  readonly text: ReactNode;
}

interface LinesProps {
  readonly lines: readonly Line[];
  /** Leads to those that have no place here. */
  readonly more: ReactNode;
}

const MOST = 4;

/** Things to look at, the first few of them. */
export function Lines({ lines, more }: LinesProps) {
  return (
    <Stack gap={4} component="ul" className="plain-list">
      {lines.slice(0, MOST).map(({ key, name, text }) => (
        <Text key={key} component="li" size="sm" lineClamp={2} className="wrap-anywhere">
          {name}{' '}
          <Text span inherit c="dimmed">
            {text}
          </Text>
        </Text>
      ))}
      {lines.length > MOST && (
        <Text component="li" size="sm">
          and {lines.length - MOST} more: {more}
        </Text>
      )}
    </Stack>
  );
}
