import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Box, Group, Tabs, Text } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { has, may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { When } from '../parts/when.tsx';
import { ARCHIVE_REASONS, WAYS_BACK } from './archive-words.ts';
import { CommentsTab } from './comments-tab.tsx';
import { ExplainTab } from './explain/explain-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { makerText } from './history-words.ts';
import type { Host } from './host.ts';
import { HostActions } from './host-actions.tsx';
import type { HostTab } from './host-tabs.ts';
import { kindText } from './kind-text.ts';
import { OverviewTab } from './overview-tab.tsx';
import { RelationsTab } from './relations/relations-tab.tsx';
import { VariablesTab } from './variables-tab.tsx';

const route = getRouteApi('/hosts/$hostname');

/** Everything about one host or object, active or archived. */
export function HostPage() {
  const { hostname } = route.useParams();
  // Each host has a page of its own: answers about one must not appear under the name of the next.
  return <OneHost key={hostname} hostname={hostname} />;
}

function OneHost({ hostname }: { readonly hostname: string }) {
  const host = useAnswer('hosts/show-host', { hostname });
  const session = useSession();
  const { tab } = route.useSearch();
  // A row of a pasted list is a host of an inventory, and stored nowhere.
  const mayBeRow = tab === 'explain' && host.error?.code === 'not_found' && may(session, 'hosts/explain-host');
  return (
    <Page
      title={hostname}
      above={[{ to: '/hosts', label: t`Hosts` }]}
      description={host.isPending ? <Box h={28} /> : host.data && <Headline host={host.data} />}
      actions={host.data && <HostActions host={host.data} />}
    >
      {mayBeRow ? (
        <ExplainTab hostname={hostname} isObject={false} />
      ) : (
        <Answer
          of={host}
          whereMissing={
            <ButtonLink to="/hosts" size="xs">
              <Trans>All hosts</Trans>
            </ButtonLink>
          }
        >
          {(data) => <HostTabs host={data} />}
        </Answer>
      )}
    </Page>
  );
}

function Headline({ host }: { readonly host: Host }) {
  const { account, archived } = host;
  return (
    <Group gap="xs" mih={28}>
      <StatusBadge tone={archived === null ? 'good' : 'quiet'}>
        {archived === null ? t`active` : t`archived`}
      </StatusBadge>
      {ownedText(kindText(host), account?.name)}
    </Group>
  );
}

function ownedText(kind: string, account: string | undefined): string {
  return account === undefined ? t`${kind} without an account` : t`${kind} of account ${account}`;
}

const TAB_LABELS: Readonly<Record<HostTab, string>> = {
  overview: t`Overview`,
  explain: t`Explain`,
  variables: t`Inventory variables`,
  relations: t`Relations`,
  history: t`History`,
  comments: t`Comments`,
  json: 'JSON',
};

function HostTabs({ host }: { readonly host: Host }) {
  const { tab = 'overview' } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  const left: Readonly<Partial<Record<HostTab, boolean>>> = {
    relations: session.cmdb_mode,
    explain: has(session, 'hosts/explain-host'),
    comments: has(session, 'comments/list-comments'),
  };
  const tabs = (Object.keys(TAB_LABELS) as HostTab[]).filter((name) => left[name] !== false);
  const shown = tabs.includes(tab) ? tab : 'overview';
  return (
    <>
      <ArchiveNote host={host} />
      <Tabs
        value={shown}
        onChange={(name) => void navigate({ search: { tab: name as HostTab }, resetScroll: false })}
        activateTabWithKeyboard={false}
        keepMounted={false}
      >
        <Tabs.List mb="md" aria-label={t`About this host`}>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {TAB_LABELS[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {/* Kept while other tabs are shown, as the user may be editing there. */}
        <Tabs.Panel value="overview" keepMounted>
          <OverviewTab host={host} />
        </Tabs.Panel>
        {shown !== 'overview' && (
          <Tabs.Panel value={shown}>
            <TabContent tab={shown} host={host} />
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  );
}

interface TabContentProps {
  readonly tab: Exclude<HostTab, 'overview'>;
  readonly host: Host;
}

function TabContent({ tab, host }: TabContentProps) {
  if (host.archived !== null && (tab === 'explain' || tab === 'variables' || tab === 'relations')) {
    return (
      <Text c="dimmed">
        <Trans>While it is archived it is in no inventory and has no relations. Restore it to see them.</Trans>
      </Text>
    );
  }
  switch (tab) {
    case 'explain':
      return <ExplainTab hostname={host.hostname} isObject={host.is_object} />;
    case 'variables':
      return <VariablesTab host={host} />;
    case 'relations':
      return <RelationsTab hostname={host.hostname} />;
    case 'comments':
      return <CommentsTab hostname={host.hostname} />;
    case 'history':
      return <HistoryTab host={host} />;
    case 'json': {
      const { hostname, labels, inventory, last_seen, last_update } = host;
      return <JsonView label={t`Host as JSON`} value={{ hostname, labels, inventory, last_seen, last_update }} />;
    }
  }
}

/** An archived host rarely changes: the entry with the user that archived it is among the newest. */
const MOST_CHANGES = 25;

function ArchiveNote({ host: { hostname, archived } }: { readonly host: Host }) {
  const isByHand = archived?.by === 'operator';
  const history = useAnswer('hosts/host-history', { hostname, limit: MOST_CHANGES }, { enabled: isByHand });
  if (archived === null) return null;
  const by = isByHand ? history.data?.changes.find(({ kind }) => kind === 'archived')?.by : undefined;
  const reason = by === undefined ? ARCHIVE_REASONS[archived.by] : t`by ${{ maker: makerText(by) }}`;
  return (
    <Alert color="gray" icon={<IconArchive aria-hidden />} title={t`Archived`}>
      <Trans>
        Archived <When at={archived.at} />, {reason}.
      </Trans>{' '}
      {WAYS_BACK[archived.by]}
    </Alert>
  );
}
