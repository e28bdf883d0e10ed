import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLogin } from '../calls/session.ts';

export function LoginPage() {
  const login = useLogin();
  const form = useForm({ initialValues: { name: '', password: '' } });
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w={380} maw="100%">
        <form onSubmit={form.onSubmit((values) => login.mutate(values))}>
          <Stack>
            <div>
              <Title order={1} size="h2">
                Muster
              </Title>
              <Text c="dimmed" size="sm">
                Log in with your user name and password for this service.
              </Text>
            </div>
            {login.isError && (
              <Alert color="red" role="alert">
                {login.error.code === 'unauthenticated' ? 'The user name or password is wrong.' : login.error.message}
              </Alert>
            )}
            <TextInput label="User" autoComplete="username" required autoFocus {...form.getInputProps('name')} />
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              required
              {...form.getInputProps('password')}
            />
            <Button type="submit" loading={login.isPending} fullWidth>
              Log in
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
