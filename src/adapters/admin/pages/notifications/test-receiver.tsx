import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Select } from '@mantine/core';
import { useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';

/** Sends one notification to a receiver now. */
export function TestReceiver() {
  const session = useSession();
  const isAllowed = may(session, 'notifications/test-notification') && may(session, 'accounts/show-accounts');
  const accounts = useAnswer('accounts/show-accounts', {}, { enabled: isAllowed });
  const [receiver, setReceiver] = useState<string | null>(null);
  const test = useAction('notifications/test-notification', {
    done: () => t`${{ receiver: receiver ?? '' }} took a notification.`,
    changes: [],
  });
  const names = (accounts.data?.accounts ?? []).filter(({ kind }) => kind === 'channel').map(({ name }) => name);
  if (!isAllowed || names.length === 0) return null;
  return (
    <Group align="flex-end">
      <Select label={t`Receiver`} data={names} value={receiver} onChange={setReceiver} />
      <Button
        variant="default"
        disabled={receiver === null}
        loading={test.isPending}
        onClick={() => receiver !== null && test.mutate({ receiver })}
      >
        <Trans>Send a test</Trans>
      </Button>
    </Group>
  );
}
