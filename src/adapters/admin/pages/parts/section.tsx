import { Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of a page with a title of its own, which screen readers can go to. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}
