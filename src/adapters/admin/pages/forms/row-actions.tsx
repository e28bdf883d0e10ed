import { t } from '@lingui/core/macro';
import { ActionIcon, Group } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';

interface RowActionsProps {
  /** Name of the row: `condition 2`. */
  readonly label: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
}

/** Moves or removes a row. */
export function RowActions({ label, isFirst, isLast, onMove, onRemove }: RowActionsProps) {
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon
        variant={isFirst ? 'transparent' : 'subtle'}
        color="gray"
        data-act="up"
        aria-label={t`Move ${label} up`}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      >
        <IconArrowUp size={16} />
      </ActionIcon>
      <ActionIcon
        variant={isLast ? 'transparent' : 'subtle'}
        color="gray"
        data-act="down"
        aria-label={t`Move ${label} down`}
        disabled={isLast}
        onClick={() => onMove(1)}
      >
        <IconArrowDown size={16} />
      </ActionIcon>
      <ActionIcon variant="subtle" color="red" data-act="remove" aria-label={t`Remove ${label}`} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}
