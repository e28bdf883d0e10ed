import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PanelProps {
  readonly title: ReactNode;
  readonly children: ReactNode;
}

/** One part of a page, under a heading of its own. */
export function Panel({ title, children }: PanelProps) {
  return (
    <Paper withBorder p="md" component="section" miw={0}>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
