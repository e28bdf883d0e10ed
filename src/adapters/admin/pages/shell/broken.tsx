import { Trans } from '@lingui/react/macro';
import { Button, Center, Code, Paper, Stack, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';

/** Shown if the pages themselves fail: never a white window. */
export function Broken({ error }: ErrorComponentProps) {
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" maw={520}>
        <Stack align="flex-start" role="alert">
          <Title order={1} size="h2">
            <Trans>This page has stopped working</Trans>
          </Title>
          <Text>
            <Trans>
              Saved changes are safe. Load the page again; if this happens again, report what you did and this message:
            </Trans>
          </Text>
          <Code block w="100%" className="copied-text">
            {error instanceof Error ? error.message : String(error)}
          </Code>
          <Button onClick={() => window.location.reload()}>
            <Trans>Load again</Trans>
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}
