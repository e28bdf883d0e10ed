import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useAccountFiles } from './use-account-files.ts';

/** Explains in which folders a target's files have to be. */
export function WrittenBelow() {
  const known = useAccountFiles();
  if (known === undefined) return null;
  const folders = known.targets.join(', ');
  return (
    <Text size="xs" c="dimmed" className="wrap-anywhere">
      {folders === ''
        ? t`No folder is open to targets; the setting FILE_TARGET_DIRS names them.`
        : t`Files are written below ${folders} (setting FILE_TARGET_DIRS).`}
    </Text>
  );
}
