import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { PageNotLoaded } from './lazy-page.tsx';
import { Problem } from './problem.tsx';

/** A page that could not be drawn. */
export function PageFault({ error, reset }: ErrorComponentProps) {
  if (error instanceof PageNotLoaded) return <NotLoaded error={error} />;
  return <Problem error={error instanceof Error ? error : new Error(String(error))} retry={reset} />;
}

/** Loading everything again gets the files of the version that runs now. */
function NotLoaded({ error }: { readonly error: PageNotLoaded }) {
  return (
    <Alert color="orange" icon={<IconRefresh />} title={t`Reload to go on`} role="alert" my="md">
      <Stack align="flex-start" gap="xs">
        <Text size="sm">{error.message}</Text>
        <Button size="xs" onClick={() => window.location.reload()}>
          <Trans>Reload</Trans>
        </Button>
      </Stack>
    </Alert>
  );
}
