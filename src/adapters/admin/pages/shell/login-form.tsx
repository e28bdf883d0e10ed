import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Session, useLogin } from '../calls/session.ts';

interface LoginFormProps {
  /** The name that it begins with. */
  readonly user?: string;
  readonly onDone?: (session: Session) => void;
}

export function LoginForm({ user = '', onDone }: LoginFormProps) {
  const login = useLogin();
  const form = useForm({ initialValues: { name: user, password: '' } });
  return (
    <form
      aria-label="Log in"
      onSubmit={form.onSubmit((values) => login.mutate(values, { onSuccess: (session) => onDone?.(session) }))}
    >
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
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          autoFocus={user !== ''}
          data-autofocus={user !== '' || undefined}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={login.isPending} fullWidth>
          Log in
        </Button>
      </Stack>
    </form>
  );
}
