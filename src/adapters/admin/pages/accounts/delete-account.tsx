import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DeleteButton } from '../parts/delete-button.tsx';
import { TickBox } from '../parts/tick-box.tsx';
import type { Account } from './option-fields.ts';

interface DeleteAccountProps {
  readonly account: Account;
  readonly isPending: boolean;
  readonly onDelete: (wanted: { readonly forget: boolean; readonly with_hosts: boolean }) => void;
}

/** Asks before an account is deleted, and for the fate of the objects that it owns elsewhere. */
export function DeleteAccount({ account: { name, kind }, isPending, onDelete }: DeleteAccountProps) {
  const [isOpen, setOpen] = useState(false);
  const [forget, setForget] = useState(false);
  const [withHosts, setWithHosts] = useState(false);
  const close = () => setOpen(false);
  const open = () => {
    setForget(false);
    setWithHosts(false);
    setOpen(true);
  };
  const yes = () => {
    close();
    onDelete({ forget, with_hosts: withHosts });
  };
  return (
    <>
      <DeleteButton isPending={isPending} onClick={open} />
      <Modal opened={isOpen} onClose={close} title={t`Delete account ${name}?`} centered>
        <Stack>
          <Text size="sm">
            <Trans>
              An account can be deleted when it has no hosts and nothing else uses it; its settings are then lost.
              &quot;muster rules export --include-accounts&quot; keeps a copy.
            </Trans>
          </Text>
          <Text size="sm">
            <Trans>
              Everything it contributed to hosts of other accounts is deleted too: labels, relations, and inventory
              sections that only it fills.
            </Trans>
          </Text>
          <TickBox
            checked={withHosts}
            onChange={(event) => setWithHosts(event.currentTarget.checked)}
            label={t`Delete its hosts for good, too, with history and relations`}
            description={t`This cannot be undone. Without this an account that has hosts is not deleted, archived ones included.`}
          />
          {kind !== 'source' && kind !== 'api' && (
            <TickBox
              checked={forget}
              onChange={(event) => setForget(event.currentTarget.checked)}
              label={t`Leave the objects that it made in the system that it is exported to`}
              description={t`Muster no longer updates or deletes them there. Without this an account that owns some is not deleted.`}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              <Trans>Cancel</Trans>
            </Button>
            <Button color="red" onClick={yes}>
              <Trans>Delete</Trans>
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
