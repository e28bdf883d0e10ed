import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { numberText } from '../language/numbers.ts';

interface PanelTitleProps {
  readonly title: string;
  /** Absent while it is not known. */
  readonly count?: number;
  readonly children?: ReactNode;
}

/** The heading of a part of a page, with its actions. */
export function PanelTitle({ title, count, children }: PanelTitleProps) {
  return (
    <Group justify="space-between" mih={36}>
      <Title order={2} size="h4">
        {title}{' '}
        <Text span inherit c="dimmed" fw={400}>
          {count !== undefined && numberText(count)}
        </Text>
      </Title>
      {children}
    </Group>
  );
}
