import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { below } from '../calls/below.ts';
import { useEnter, useLogin } from '../calls/session.ts';

const START = '#break-glass=';

/** Login for the user of the operator's link. */
export function BreakGlass() {
  const login = useLogin();
  const enter = useEnter();
  const [ticket] = useState(() =>
    window.location.hash.startsWith(START) ? decodeURIComponent(window.location.hash.slice(START.length)) : undefined,
  );
  if (ticket === undefined) return null;

  function open(break_glass: string): void {
    // The link works once, so it is not worth keeping in the history.
    window.history.replaceState(null, '', below('/admin/'));
    login.mutate({ break_glass }, { onSuccess: (answer) => !('second_step' in answer) && enter(answer) });
  }

  return (
    <Alert color="yellow" title={t`Break-glass login`} role="region">
      <Stack gap="sm">
        <Text size="sm">
          {login.isError
            ? `${login.error.message}.`
            : t`This link logs in once, for a short session. The audit log keeps that it was used.`}
        </Text>
        <Button variant="default" loading={login.isPending} disabled={login.isError} onClick={() => open(ticket)}>
          <Trans>Log in by this link</Trans>
        </Button>
      </Stack>
    </Alert>
  );
}
