import { Trans } from '@lingui/react/macro';
import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { LoginForm } from './login-form.tsx';
import { Mark } from './mark.tsx';

const FirstUser = lazy(async () => ({ default: (await import('./first-user.tsx')).FirstUser }));
const BreakGlass = lazy(async () => ({ default: (await import('./break-glass.tsx')).BreakGlass }));

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
          {isBreakGlass && (
            <Suspense>
              <BreakGlass />
            </Suspense>
          )}
          {isFirst ? (
            <Suspense>
              <FirstUser />
            </Suspense>
          ) : (
            <LoginForm />
          )}
        </Stack>
      </Paper>
    </Center>
  );
}
