import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { BreakGlass } from './break-glass.tsx';
import { LoginForm } from './login-form.tsx';
import { Mark } from './mark.tsx';

export function LoginPage() {
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w={380} maw="100%">
        <Stack>
          <div>
            <Group gap="xs">
              <Mark />
              <Title order={1} size="h2">
                Muster
              </Title>
            </Group>
            <Text c="dimmed" size="sm">
              Log in with your user name and password for this service.
            </Text>
          </div>
          <BreakGlass />
          <LoginForm />
        </Stack>
      </Paper>
    </Center>
  );
}
