import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

let shown: string | undefined;

/**
 * A message about what was done at once, with the way back. It stays until it is closed, or something else is done; or for `stays`
 * milliseconds, where the way back stands elsewhere too. `more` stands behind the text.
 */
export function tellWithUndo(text: string, undo: () => void, more?: ReactNode, stays?: number): void {
  if (shown !== undefined) notifications.hide(shown);
  const id = notifications.show({
    color: 'green',
    autoClose: stays ?? false,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span className="wrap-anywhere">
          {text} {more}
        </span>
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
  shown = id;
}
