import { Trans } from '@lingui/react/macro';
import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { may, useSession } from '../calls/session.ts';

const PATHS = { log: '/logs', audit: '/logs/audit' } as const;

/** The log and the audit trail, of which only administrators see the second. */
export function LogTabs({ shown, children }: { readonly shown: keyof typeof PATHS; readonly children: ReactNode }) {
  const navigate = useNavigate();
  if (!may(useSession(), 'syncer/list-audit')) return children;
  return (
    <Tabs
      value={shown}
      activateTabWithKeyboard={false}
      onChange={(tab) => tab !== null && void navigate({ to: PATHS[tab as keyof typeof PATHS] })}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="log">
          <Trans>Log</Trans>
        </Tabs.Tab>
        <Tabs.Tab value="audit">
          <Trans>Audit log</Trans>
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={shown}>{children}</Tabs.Panel>
    </Tabs>
  );
}
