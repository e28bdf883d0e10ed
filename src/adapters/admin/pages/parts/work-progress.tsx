import { Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface WorkProgressProps {
  readonly label: string;
  readonly progress: { readonly done: number; readonly total?: number; readonly note?: string } | undefined;
  /** True if the page already shows the progress. */
  readonly isShownAbove?: boolean;
  /** Explains what happens to the work when the page is left. */
  readonly children: ReactNode;
}

/** How far long work is. */
export function WorkProgress({ label, progress, isShownAbove = false, children }: WorkProgressProps) {
  const share = progress?.total ? Math.min(100, (100 * progress.done) / progress.total) : undefined;
  return (
    <Stack gap={4}>
      <Text size="sm" role="status">
        {label}
        {isShownAbove || progress?.note === undefined ? '…' : `: ${progress.note}`}
      </Text>
      {!isShownAbove && <Progress value={share ?? 100} animated={share === undefined} aria-label={label} />}
      <Text size="xs" c="dimmed">
        {children}
      </Text>
    </Stack>
  );
}
