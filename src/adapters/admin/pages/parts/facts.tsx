import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shows the facts about one thing, side by side as far as there is room. */
export function Facts({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Group component="dl" gap="xl" m={0} aria-label={label} style={{ rowGap: 'var(--mantine-spacing-xs)' }}>
      {children}
    </Group>
  );
}

/** One of a list of facts: its name and value. */
export function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed" component="dt">
        {label}
      </Text>
      <Text size="sm" component="dd" m={0} className="wrap-anywhere">
        {children}
      </Text>
    </div>
  );
}
