import { Trans } from '@lingui/react/macro';
import { Box } from '@mantine/core';
import type { ComponentProps } from 'react';
import { WorkProgress } from '../parts/work-progress.tsx';

/** How far a backup, or the look at one, is. */
export function BackupProgress(work: Omit<ComponentProps<typeof WorkProgress>, 'children'>) {
  return (
    <Box maw={720}>
      <WorkProgress {...work}>
        <Trans>It continues when you leave this page.</Trans>
      </WorkProgress>
    </Box>
  );
}
