import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface DeleteButtonProps {
  /** "Delete" unless it says more. */
  readonly children?: ReactNode;
  readonly isPending: boolean;
  readonly onClick: () => void;
}

/** Begins a deletion. The caller asks before anything is deleted. */
export function DeleteButton({ children = <Trans>Delete</Trans>, isPending, onClick }: DeleteButtonProps) {
  return (
    <Button
      variant="default"
      c="red"
      leftSection={<IconTrash size={16} aria-hidden />}
      loading={isPending}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
