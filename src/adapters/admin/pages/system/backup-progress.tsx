import { Trans } from '@lingui/react/macro';
import { Progress, Stack, Text } from '@mantine/core';
import type { Progress as Done } from '../../../../app/kernel/operation.ts';

interface BackupProgressProps {
  readonly label: string;
  readonly progress: Done | undefined;
}

/** How far a backup, or the look at one, is. */
export function BackupProgress({ label, progress }: BackupProgressProps) {
  const share = progress?.total ? Math.min(100, (100 * progress.done) / progress.total) : undefined;
  return (
    <Stack gap={4} maw={720}>
      <Text size="sm" role="status">
        {label}
        {progress?.note === undefined ? '…' : `: ${progress.note}`}
      </Text>
      <Progress value={share ?? 100} animated={share === undefined} aria-label={label} />
      <Text size="xs" c="dimmed">
        <Trans>It goes on when you leave this page.</Trans>
      </Text>
    </Stack>
  );
}
