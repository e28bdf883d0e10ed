import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { CopyLine } from './copy-line.tsx';

interface ShownOnce {
  readonly title: string;
  /** Name of the secret, for the button: `token`. */
  readonly label: string;
  readonly value: string;
  readonly text: string;
  /** A command that uses it. */
  readonly example?: string;
}

/** Shows a secret that cannot be displayed again. It only disappears when closed on purpose. */
export function showOnce({ title, label, value, text, example }: ShownOnce): void {
  const id = modals.open({
    title,
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    size: 'lg',
    children: (
      <Stack gap="sm">
        <Text size="sm">{text}</Text>
        <CopyLine value={value} label={label} />
        {example !== undefined && <CopyLine value={example} label={t`example call`} />}
        <Group justify="flex-end">
          <Button onClick={() => modals.close(id)}>
            <Trans>I have saved it</Trans>
          </Button>
        </Group>
      </Stack>
    ),
  });
}
