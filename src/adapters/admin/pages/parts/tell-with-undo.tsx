import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

/** It covers what lies below it; what was done stays in the history, from where it can be taken back later. */
const SHOWN_MS = 20_000;
/** What is done on the way to another page is told there. */
const LEAVING_MS = 1_500;

let shown: { readonly id: string; readonly since: number; readonly isFollowed?: true } | undefined;

/** A message about what was done at once, with the way back. It goes when its time is over, something else is done, or another page comes which it did not lead to itself. `more` stands behind the text. */
export function tellWithUndo(text: string, undo: () => void, more?: ReactNode): void {
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

/** Another page has come. */
export function closeToldBefore(): void {
  if (shown === undefined || shown.isFollowed || Date.now() - shown.since < LEAVING_MS) return;
  notifications.hide(shown.id);
  shown = undefined;
}
