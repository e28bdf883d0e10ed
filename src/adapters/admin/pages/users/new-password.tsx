import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, PasswordInput, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';

interface NewPasswordProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (password: string) => void;
  readonly error: string | undefined;
}

/** A password that the user chooses, or that is generated and shown. */
export function NewPassword({ label, value, onChange, error }: NewPasswordProps) {
  const [isShown, shown] = useDisclosure(false);
  return (
    <Stack gap={6} align="stretch">
      <PasswordInput
        label={label}
        description={t`It cannot be shown later`}
        required
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        visible={isShown}
        onVisibilityChange={shown.toggle}
        error={error}
        autoComplete="new-password"
      />
      <Button
        variant="default"
        size="compact-sm"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => {
          onChange(madeUp());
          shown.open();
        }}
      >
        <Trans>Generate one</Trans>
      </Button>
    </Stack>
  );
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Twenty letters and digits that are not taken for each other: more than a hundred bits. */
function madeUp(): string {
  let password = '';
  while (password.length < 20) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    // A byte behind the last whole round would make the first letters likelier.
    if (byte < 256 - (256 % LETTERS.length)) password += LETTERS[byte % LETTERS.length];
  }
  return password;
}
