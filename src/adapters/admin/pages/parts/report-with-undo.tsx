import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

/** The message covers the content below it; the history keeps the change, which can be undone there later. */
const SHOWN_MS = 20_000;
/** Messages about changes made on the way to another page are still shown there. */
const LEAVING_MS = 1_500;

let shown: { readonly id: string; readonly since: number; readonly isFollowed?: true } | undefined;

/**
 * Shows a message about a completed change, with an undo button. It closes when its time is over, when something else is done, or
 * on another page, unless the message itself links to that page. `more` follows the text.
 */
export function reportWithUndo(text: string, undo: () => void, more?: ReactNode): void {
  if (shown !== undefined) notifications.hide(shown.id);
  const id = notifications.show({
    color: 'green',
    autoClose: SHOWN_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span className="wrap-anywhere">
          {text}{' '}
          <span
            onClickCapture={() => {
              if (shown?.id === id) shown = { ...shown, isFollowed: true };
            }}
          >
            {more}
          </span>
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
  shown = { id, since: Date.now() };
}

/** Called when another page has opened. */
export function closeReportedBefore(): void {
  if (shown === undefined || shown.isFollowed || Date.now() - shown.since < LEAVING_MS) return;
  notifications.hide(shown.id);
  shown = undefined;
}
