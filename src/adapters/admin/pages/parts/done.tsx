import { Group, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Confirms a success: a line, as it requires no action. */
export function Done({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Group role="status" gap="xs" wrap="nowrap" align="flex-start">
      <Text span c="green" lh={1} pt={2}>
        <IconCircleCheck size={18} aria-hidden />
      </Text>
      <Text size="sm" component="div" className="wrap-anywhere">
        <b>{title}</b> {children}
      </Text>
    </Group>
  );
}
