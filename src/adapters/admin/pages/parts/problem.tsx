import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CallError } from '../calls/call.ts';
import { pathWords } from './path-words.ts';

interface ProblemProps {
  readonly error: Error;
  readonly retry?: () => void;
  /** Alternatives for the user. */
  readonly children?: ReactNode;
}

/** Shows an error in place of the content. */
export function Problem({ error, retry, children }: ProblemProps) {
  const isMissing = error instanceof CallError && error.code === 'not_found';
  const details = error instanceof CallError ? error.details.filter(({ path }) => path !== '') : [];
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle />}
      title={isMissing ? t`Not found` : t`That did not work`}
      role="alert"
      my="md"
    >
      <Stack align="flex-start" gap="xs">
        <Text size="sm">{error.message}</Text>
        {details.length > 1 && (
          <List size="sm">
            {details.slice(0, 20).map(({ path, message }) => (
              <List.Item key={`${path} ${message}`}>
                {pathWords(path)}: {message}
              </List.Item>
            ))}
          </List>
        )}
        {retry !== undefined && (
          <Button size="xs" variant="light" color="red" onClick={retry}>
            <Trans>Try again</Trans>
          </Button>
        )}
        {children}
      </Stack>
    </Alert>
  );
}
