import { Trans } from '@lingui/react/macro';
import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { BreakGlass } from './break-glass.tsx';
import { FirstUser } from './first-user.tsx';
import { LoginForm } from './login-form.tsx';
import { Mark } from './mark.tsx';

export function LoginPage() {
  // The address loses it as soon as it is used, but the page still needs it to report the result.
  const [isBreakGlass] = useState(() => window.location.hash.startsWith('#break-glass='));
  const [isFirst] = useState(() => window.location.hash.startsWith('#first-user='));
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
            {!isFirst && (
              <Text c="dimmed" size="sm">
                <Trans>Log in with your user name and password for this service.</Trans>
              </Text>
            )}
          </div>
          {isBreakGlass && <BreakGlass />}
          {isFirst ? <FirstUser /> : <LoginForm />}
        </Stack>
      </Paper>
    </Center>
  );
}
