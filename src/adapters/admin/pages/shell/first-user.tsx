import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { below } from '../calls/below.ts';
import { useEnter, useLogin } from '../calls/session.ts';

const START = '#first-user=';

/** Form for the user who opened the link of a service without users. */
export function FirstUser() {
  const login = useLogin();
  const enter = useEnter();
  const [secret] = useState(() => decodeURIComponent(window.location.hash.slice(START.length)));
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const isOther = again !== '' && again !== password;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (again !== password) return;
    login.mutate(
      { first_user: secret, name, password },
      {
        onSuccess(answer) {
          // The link works once, so it is not worth keeping in the history.
          window.history.replaceState(null, '', below('/admin/'));
          if (!('second_step' in answer)) enter(answer);
        },
      },
    );
  }

  return (
    <form aria-label={t`Create the first user`} onSubmit={submit}>
      <Stack>
        <Text size="sm">
          <Trans>Create the first user of this service. It is an administrator, and creates the others.</Trans>
        </Text>
        {login.isError && (
          <Alert color="red" role="alert">
            {login.error.message}
          </Alert>
        )}
        <TextInput
          label={t`User`}
          autoComplete="username"
          required
          autoFocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <PasswordInput
          label={t`Password`}
          autoComplete="new-password"
          required
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <PasswordInput
          label={t`Password again`}
          autoComplete="new-password"
          required
          value={again}
          error={isOther && t`differs from the password above`}
          onChange={({ currentTarget }) => setAgain(currentTarget.value)}
        />
        <Button type="submit" loading={login.isPending} fullWidth>
          <Trans>Create user and log in</Trans>
        </Button>
      </Stack>
    </form>
  );
}
