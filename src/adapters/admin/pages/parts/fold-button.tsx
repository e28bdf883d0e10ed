import { Button } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface FoldButtonProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** Opens and closes the content below it. */
export function FoldButton({ isOpen, onToggle, children }: FoldButtonProps) {
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      leftSection={isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      {children}
    </Button>
  );
}
