import { Trans } from '@lingui/react/macro';
import { Alert, Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import type { LoginAnswer } from '../../routes.ts';
import { usePasskeyLogin } from '../calls/session.ts';

/** Logs in by a passkey, which needs neither name nor password. */
export function PasskeyButton({ onAnswer }: { readonly onAnswer: (answer: LoginAnswer) => void }) {
  const login = usePasskeyLogin();
  return (
    <>
      {login.isError && (
        <Alert color="red" role="alert">
          {login.error.message}
        </Alert>
      )}
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={16} />}
        loading={login.isPending}
        onClick={() => login.mutate(undefined, { onSuccess: onAnswer })}
      >
        <Trans>Log in with a passkey</Trans>
      </Button>
    </>
  );
}
