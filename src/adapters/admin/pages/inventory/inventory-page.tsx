import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { may, useSession } from '../calls/session.ts';
import { HttpUse } from '../parts/http-use.tsx';
import { Page } from '../parts/page.tsx';
import { Command } from '../parts/value.tsx';
import { DownloadButton } from './download-button.tsx';
import { InventoryChanges } from './inventory-changes.tsx';
import { InventoryHosts } from './inventory-hosts.tsx';
import { InventoryNames } from './inventory-names.tsx';

const route = getRouteApi('/inventory/$provider');

const YESTERDAY = 'yesterday';

/** Shows the content of one inventory, and what is new since an earlier time. */
export function InventoryPage() {
  const { provider } = route.useParams();
  const { since } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  const mayCompare = may(session, 'inventory/compare-times');
  const command = commandOf(provider, mayCompare ? since : undefined);
  return (
    <Page
      title={provider}
      above={[{ to: '/inventory', label: t`Inventory` }]}
      description={
        <Trans>
          The same on the command line: <Command>{command}</Command>
        </Trans>
      }
      actions={<DownloadButton provider={provider} />}
    >
      {may(session, 'inventory/check-names') && <InventoryNames />}
      <HttpUse provider={provider} since={mayCompare ? since : undefined} />
      {mayCompare ? (
        <Tabs
          value={since === undefined ? 'hosts' : 'changes'}
          activateTabWithKeyboard={false}
          onChange={(tab) => void navigate({ search: tab === 'changes' ? { since: YESTERDAY } : {} })}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="hosts">
              <Trans>Hosts</Trans>
            </Tabs.Tab>
            <Tabs.Tab value="changes">
              <Trans>Changes</Trans>
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value={since === undefined ? 'hosts' : 'changes'}>
            <Stack gap="md">{since === undefined ? <InventoryHosts /> : <InventoryChanges since={since} />}</Stack>
          </Tabs.Panel>
        </Tabs>
      ) : (
        <InventoryHosts />
      )}
    </Page>
  );
}

function commandOf(provider: string, since: string | undefined): string {
  if (since === undefined) return `muster inventory ${provider} --list`;
  return `muster inventory-changes ${provider} --since ${since}`;
}
