import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { holds, useSession } from '../calls/session.ts';
import { Page } from './page.tsx';

interface AllowedProps {
  readonly roles: readonly string[];
  /** What the person came for. */
  readonly title: string;
  /** Who may see it. */
  readonly whom: string;
  readonly children: ReactNode;
}

/** The page for who may see it, and for others why they may not. */
export function Allowed({ roles, title, whom, children }: AllowedProps) {
  const session = useSession();
  if (holds(session, roles)) return children;
  return (
    <Page title={title}>
      <Text>
        This is for {whom}. You are logged in as {session.user}.
      </Text>
    </Page>
  );
}
