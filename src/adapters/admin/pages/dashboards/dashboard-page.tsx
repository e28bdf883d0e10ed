import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { Panel } from '../parts/panel.tsx';
import { setPreferences, usePreferences } from '../parts/preferences.ts';
import { dashboardNames, pageOfSearch, type SavedSearch } from '../parts/saved-search.ts';
import { Tile } from './tile.tsx';

/** Shows the saved searches of a dashboard next to each other; of the first dashboard if none is named. */
export function DashboardPage() {
  const { name: asked } = useParams({ strict: false });
  const saved = useAnswer('search/list-saved-searches', {});
  return (
    <Answer of={saved}>
      {({ searches }) => {
        const names = dashboardNames(searches);
        const name = asked ?? names[0];
        if (name === undefined) return <NoDashboards />;
        const tiles = searches
          .filter(({ dashboard }) => dashboard === name)
          .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
        return (
          <Page title={name} above={[{ to: '/dashboards', label: t`Dashboards` }]} actions={<StartHere name={name} />}>
            {names.length > 1 && (
              <Group component="nav" aria-label={t`Dashboards`} gap="xs">
                {names.map((one) => (
                  <ButtonLink
                    key={one}
                    to="/dashboards/$name"
                    params={{ name: one }}
                    size="xs"
                    variant={one === name ? 'light' : 'default'}
                    {...(one === name && { 'aria-current': 'page' })}
                  >
                    {one}
                  </ButtonLink>
                ))}
              </Group>
            )}
            {tiles.length === 0 ? <NoTiles /> : <Tiles of={tiles} />}
          </Page>
        );
      }}
    </Answer>
  );
}

function Tiles({ of: tiles }: { readonly of: readonly SavedSearch[] }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
      {tiles.map((search) => (
        // A table of two fields needs the whole width.
        <div key={`${search.owner}/${search.name}`} style={search.by === undefined ? {} : { gridColumn: '1 / -1' }}>
          <Panel title={<TextLink {...pageOfSearch(search)}>{search.name}</TextLink>}>
            <Tile search={search} />
          </Panel>
        </div>
      ))}
    </SimpleGrid>
  );
}

/** Makes this dashboard the page that is opened first in this browser. */
function StartHere({ name }: { readonly name: string }) {
  const { start } = usePreferences();
  const path = `/dashboards/${encodeURIComponent(name)}`;
  const isStart = start === path;
  return (
    <Button variant="default" aria-pressed={isStart} onClick={() => setPreferences({ start: isStart ? '/' : path })}>
      {isStart ? <Trans>Start with the overview again</Trans> : <Trans>Use as start page</Trans>}
    </Button>
  );
}

function NoDashboards() {
  return (
    <Page title={t`Dashboards`} isNarrow>
      <NoTiles />
    </Page>
  );
}

function NoTiles() {
  return (
    <Stack gap="sm" align="flex-start">
      <Text>
        <Trans>
          A dashboard shows saved searches next to each other: numbers of hosts, lists and reports. Search for hosts or
          make a report, choose Saved, and name the dashboard that shows it. Searches that you share are on the
          dashboards of everyone.
        </Trans>
      </Text>
      <Group gap="xs">
        <ButtonLink to="/hosts" variant="default">
          <Trans>Search hosts</Trans>
        </ButtonLink>
        <ButtonLink to="/hosts/report" variant="default">
          <Trans>Make a report</Trans>
        </ButtonLink>
      </Group>
    </Stack>
  );
}
