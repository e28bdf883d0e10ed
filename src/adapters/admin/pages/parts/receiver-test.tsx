import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { Done } from './done.tsx';
import { Problem } from './problem.tsx';

/** Sends a message through a receiver, and shows whether it was accepted. */
export function ReceiverTest({ receiver }: { readonly receiver: string }) {
  const session = useSession();
  const test = useAction('notifications/test-notification', { changes: [], showsProblem: true });
  if (!may(session, 'notifications/test-notification')) return null;
  return (
    <Stack gap={6} align="flex-start">
      <Button
        size="compact-sm"
        variant="default"
        loading={test.isPending}
        onClick={() => test.mutate({ receiver })}
        aria-label={t`Send a test to ${receiver}`}
      >
        <Trans>Send a test</Trans>
      </Button>
      {test.isError && <Problem error={test.error} />}
      {test.isSuccess && <Done title={t`${{ receiver }} took a notification.`} />}
    </Stack>
  );
}
