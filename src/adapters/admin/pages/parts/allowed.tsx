import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OfferedName } from '../../offered-operations.ts';
import { useSession } from '../calls/session.ts';
import { Page } from './page.tsx';
import { PageNotFound } from './page-not-found.tsx';

interface AllowedProps {
  /** The operation behind the page: users who may not call it see nothing there. */
  readonly operation: OfferedName;
  /** The user's purpose in opening the page. */
  readonly title: string;
  readonly children: ReactNode;
}

/** Shows the page to users who may see it, and to others why they may not. */
export function Allowed({ operation, title, children }: AllowedProps) {
  const { refused, user } = useSession();
  const refusal = refused[operation];
  if (refusal === undefined) return children;
  if (refusal.why === 'absent') return <PageNotFound />;
  const { whom } = refusal;
  return (
    <Page title={title}>
      <Text>
        <Trans>
          This is for {whom}. You are logged in as {user}.
        </Trans>
      </Text>
    </Page>
  );
}
