import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';

/** A message about what was done at once, with the way back. */
export function tellWithUndo(text: string, undo: () => void): void {
  const id = notifications.show({
    color: 'green',
    autoClose: 10_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span className="wrap-anywhere">{text}</span>
        <Button
          size="compact-sm"
          variant="default"
          flex="none"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          <Trans>Undo</Trans>
        </Button>
      </Group>
    ),
  });
}
