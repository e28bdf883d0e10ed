import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';

/** Where the files have to be that a target writes. */
export function WrittenBelow() {
  const isAllowed = may(useSession(), 'accounts/list-files');
  const { data } = useAnswer('accounts/list-files', {}, { enabled: isAllowed });
  if (data === undefined) return null;
  const folders = data.targets.join(', ');
  return (
    <Text size="xs" c="dimmed" className="wrap-anywhere">
      {folders === ''
        ? t`No folder is open to targets; the setting FILE_TARGET_DIRS names them.`
        : t`Files are written below ${folders} (setting FILE_TARGET_DIRS).`}
    </Text>
  );
}
