import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { StatusBadge } from '../parts/status-badge.tsx';

/** Something that wants somebody, and the button that mends it. */
export interface Need {
  readonly key: string;
  readonly badge: string;
  /** `warning`: it can wait. */
  readonly tone: 'bad' | 'warning';
  readonly name: ReactNode;
  readonly text: ReactNode;
  readonly action?: ReactNode;
}

export function NeedRow({ need: { badge, tone, name, text, action } }: { readonly need: Need }) {
  return (
    <li className="need">
      <StatusBadge tone={tone}>{badge}</StatusBadge>
      <Text size="sm" className="need-text wrap-anywhere" lineClamp={3}>
        {name}{' '}
        <Text span inherit c="dimmed">
          {text}
        </Text>
      </Text>
      <div className="need-action">{action}</div>
    </li>
  );
}
