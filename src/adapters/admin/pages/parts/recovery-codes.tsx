import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { CopyLine } from './copy-line.tsx';

interface NewRecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Shows codes that cannot be displayed again. They only disappear when closed on purpose. */
export function NewRecoveryCodes({ codes, onDone }: NewRecoveryCodesProps) {
  return (
    <Stack gap="sm">
      <Text size="sm">
        <Trans>
          Keep these recovery codes where you find them without your phone, such as a password manager. Each logs you in
          once when the second factor is lost, and they are not shown again.
        </Trans>
      </Text>
      <CopyLine value={codes.join('\n')} label={t`recovery codes`} />
      <Button onClick={onDone}>
        <Trans>I have saved them</Trans>
      </Button>
    </Stack>
  );
}
