import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Session, useLogin } from '../calls/session.ts';

interface LoginFormProps {
  /** The name that it begins with. */
  readonly user?: string;
  readonly onDone?: (session: Session) => void;
}

export function LoginForm({ user = '', onDone }: LoginFormProps) {
  const login = useLogin();
  const [name, setName] = useState(user);
  const [password, setPassword] = useState('');

  function submit(event: FormEvent): void {
    event.preventDefault();
    login.mutate({ name, password }, { onSuccess: (session) => onDone?.(session) });
  }

  return (
    <form aria-label="Log in" onSubmit={submit}>
      <Stack>
        {login.isError && (
          <Alert color="red" role="alert">
            {login.error.code === 'unauthenticated' ? 'The user name or password is wrong.' : login.error.message}
          </Alert>
        )}
        <TextInput
          label="User"
          autoComplete="username"
          required
          autoFocus={user === ''}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          autoFocus={user !== ''}
          data-autofocus={user !== '' || undefined}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit" loading={login.isPending} fullWidth>
          Log in
        </Button>
      </Stack>
    </form>
  );
}
