import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { Figure } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { HostsSection } from './hosts-section.tsx';
import { NEED_SOURCES } from './need-sources.tsx';
import { NeedsPanel } from './needs-panel.tsx';
import { SourcesPanel } from './sources-panel.tsx';
import { TodayPanel } from './today-panel.tsx';

/** Shows what an operator must see at the start of the day, as far as the user may see it. */
export function OverviewPage() {
  const session = useSession();
  const sees = {
    hosts: may(session, 'search/search-hosts'),
    counters: may(session, 'hosts/host-counters'),
    providers: may(session, 'inventory/list-providers'),
    strips: may(session, 'runs/list-strips'),
    days: may(session, 'hosts/list-days'),
  };
  const needsSomebody = NEED_SOURCES.some(({ operation }) => may(session, operation));
  const name = session.user;
  const seesNothing = !needsSomebody && !Object.values(sees).includes(true);
  return (
    <Page title={t`Overview`}>
      {seesNothing && (
        <Text>
          <Trans>
            You are logged in as {name}, who has no role for this interface. An administrator can give you one.
          </Trans>
        </Text>
      )}
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
          {sees.counters ? <Counters hasHosts={sees.hosts} /> : sees.hosts && <HostCounts />}
          {sees.providers && <Providers />}
        </SimpleGrid>
        <FirstSteps />
        {needsSomebody && <NeedsPanel />}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
          {sees.strips && <SourcesPanel />}
          {(sees.hosts || sees.strips) && <TodayPanel />}
        </SimpleGrid>
        {sees.days && <HostsSection />}
      </Stack>
    </Page>
  );
}

function Counters({ hasHosts }: { readonly hasHosts: boolean }) {
  const counters = useAnswer('hosts/host-counters', {}, { everySeconds: 30 });
  return (
    <>
      <Figure
        label={
          hasHosts ? (
            <TextLink inherit to="/hosts" search={{ kind: 'hosts' }}>
              <Trans>Hosts</Trans>
            </TextLink>
          ) : (
            t`Hosts`
          )
        }
        of={counters}
      >
        {(data) => data.num_hosts}
      </Figure>
      <Figure
        label={
          hasHosts ? (
            <TextLink inherit to="/hosts" search={{ kind: 'objects' }}>
              <Trans>Objects</Trans>
            </TextLink>
          ) : (
            t`Objects`
          )
        }
        of={counters}
      >
        {(data) => data.num_objects}
      </Figure>
      <Figure
        label={
          hasHosts ? (
            <TextLink inherit to="/hosts" search={{ kind: 'hosts', where: NOT_SEEN }}>
              <Trans>Not seen for a day</Trans>
            </TextLink>
          ) : (
            t`Not seen for a day`
          )
        }
        of={counters}
      >
        {(data) => data.not_updated_last_24h}
      </Figure>
    </>
  );
}

/** Query for the hosts of the counter: those that no source has named yet count from the day of their creation. */
const NOT_SEEN = 'seen>1d OR (seen:never created>1d)';

/** For users who may see hosts but no counters. */
function HostCounts() {
  const active = useAnswer('search/search-hosts', { limit: 1, inventory: false }, { everySeconds: 30 });
  const archived = useAnswer(
    'search/search-hosts',
    { limit: 1, inventory: false, state: 'archived' },
    { everySeconds: 30 },
  );
  return (
    <>
      <Figure
        label={
          <TextLink inherit to="/hosts">
            <Trans>Hosts and objects</Trans>
          </TextLink>
        }
        of={active}
      >
        {({ size }) => size}
      </Figure>
      <Figure
        label={
          <TextLink inherit to="/hosts" search={{ state: 'archived' }}>
            <Trans>Archived</Trans>
          </TextLink>
        }
        of={archived}
      >
        {({ size }) => size}
      </Figure>
    </>
  );
}

function Providers() {
  const answer = useAnswer('inventory/list-providers', {}, { everySeconds: 60 });
  return (
    <Figure
      label={
        <TextLink inherit to="/inventory">
          <Trans>Inventory providers</Trans>
        </TextLink>
      }
      of={answer}
    >
      {({ providers }) => providers.length}
    </Figure>
  );
}
