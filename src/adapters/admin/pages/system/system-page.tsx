import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Group, Tabs, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { below } from '../calls/below.ts';
import { has, useSession } from '../calls/session.ts';
import { Page } from '../parts/page.tsx';
import { BackupsTab } from './backups-tab.tsx';
import { ConfigurationTab } from './configuration-tab.tsx';
import { HealthTab } from './health-tab.tsx';
import { MaintenanceTab } from './maintenance-tab.tsx';
import { PluginsTab } from './plugins-tab.tsx';
import { SYSTEM_TABS, type SystemTab } from './system-tabs.ts';

const route = getRouteApi('/system');

const CONTENTS: Readonly<Record<SystemTab, { readonly label: string; readonly Content: () => React.ReactNode }>> = {
  health: { label: t`Health`, Content: HealthTab },
  plugins: { label: t`Plugins`, Content: PluginsTab },
  configuration: { label: t`Configuration`, Content: ConfigurationTab },
  maintenance: { label: t`Maintenance`, Content: MaintenanceTab },
  backups: { label: t`Backups`, Content: BackupsTab },
};

/** The service itself. */
export function SystemPage() {
  const session = useSession();
  const { version } = session;
  const tabs = SYSTEM_TABS.filter((one) => one !== 'backups' || has(session, 'storage/list-backups'));
  const { tab: asked = 'health' } = route.useSearch();
  const tab = tabs.includes(asked) ? asked : 'health';
  const navigate = route.useNavigate();
  const { Content } = CONTENTS[tab];
  return (
    <Page
      title={t`System`}
      description={
        <Group gap="sm">
          <Text inherit>Muster {version}</Text>
          <Anchor href={below('/docs/')} target="_blank" rel="noreferrer" inherit>
            <Trans>Documentation</Trans>
          </Anchor>
          <Anchor href={below('/docs/openapi')} target="_blank" rel="noreferrer" inherit>
            <Trans>REST reference</Trans>
          </Anchor>
          <Anchor href={below('/openapi.json')} target="_blank" rel="noreferrer" inherit>
            openapi.json
          </Anchor>
          <Anchor href={below('/metrics')} target="_blank" rel="noreferrer" inherit>
            <Trans>Metrics</Trans>
          </Anchor>
        </Group>
      }
    >
      <Tabs
        value={tab}
        activateTabWithKeyboard={false}
        onChange={(chosen) =>
          void navigate({
            search: { tab: chosen === 'health' ? undefined : (chosen as SystemTab) },
            resetScroll: false,
          })
        }
      >
        <Tabs.List mb="md">
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {CONTENTS[one].label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Content />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
