import { Button, type ButtonProps, Text } from '@mantine/core';
import type { IconFilter } from '@tabler/icons-react';

interface ToolProps extends ButtonProps {
  readonly icon: typeof IconFilter;
  readonly label: string;
  readonly title?: string;
  readonly onClick?: () => void;
  readonly 'aria-expanded'?: boolean;
}

/** A button next to the search; on a phone its icon alone. */
export function Tool({ icon: Icon, label, ...props }: ToolProps) {
  return (
    <Button variant="default" px="sm" aria-label={label} {...props}>
      <Icon size={16} aria-hidden />
      <Text span inherit ml={6} visibleFrom="sm" aria-hidden>
        {label}
      </Text>
    </Button>
  );
}
