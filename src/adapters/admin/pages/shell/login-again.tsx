import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { below } from '../calls/below.ts';
import type { Session } from '../calls/session.ts';
import { LoginForm } from './login-form.tsx';

interface LoginAgainProps {
  readonly isOpen: boolean;
  /** The user whose session has ended. */
  readonly user: string;
}

/** Covers the page, which keeps its input. Another user starts afresh, and sees nothing of it. */
export function LoginAgain({ isOpen, user }: LoginAgainProps) {
  const queries = useQueryClient();

  function goOn(session: Session): void {
    if (session.user === user) void queries.invalidateQueries();
    else window.location.assign(below('/admin/'));
  }

  return (
    <Modal
      opened={isOpen}
      onClose={() => undefined}
      title={t`Your session has ended`}
      centered
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ blur: 6 }}
      zIndex={500}
    >
      <Stack>
        <Text size="sm">
          <Trans>Log in to continue. What you have typed on this page is still here, and not saved yet.</Trans>
        </Text>
        <LoginForm key={String(isOpen)} user={user} onDone={goOn} />
      </Stack>
    </Modal>
  );
}
