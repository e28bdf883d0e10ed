import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { LoginForm } from './login-form.tsx';

export function LoginPage() {
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w={380} maw="100%">
        <Stack>
          <div>
            <Title order={1} size="h2">
              Muster
            </Title>
            <Text c="dimmed" size="sm">
              Log in with your user name and password for this service.
            </Text>
          </div>
          <LoginForm />
        </Stack>
      </Paper>
    </Center>
  );
}
