import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Grid, Group, Text, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAnswer } from '../calls/use-call.ts';
import { moreText } from '../language/more-text.ts';
import { numberText } from '../language/numbers.ts';
import { Answer } from '../parts/answer.tsx';
import { cell } from '../parts/cells.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { OffsetPager, PagesOf } from '../parts/pager.tsx';
import { SearchField } from '../parts/search-field.tsx';

type Inventory = OfferedOutput<'inventory/browse-inventory'>;
type Host = Inventory['hosts'][number];
type InventoryGroup = Inventory['groups'][number];

const route = getRouteApi('/inventory/$provider');

const LIMIT = 50;
/** Groups of a host that its row names. */
const SHOWN_GROUPS = 6;

/** Hosts and groups of one inventory. */
export function InventoryHosts() {
  const { provider } = route.useParams();
  const { search: text = '', group, start = 0 } = route.useSearch();
  const navigate = route.useNavigate();
  const inventory = useAnswer('inventory/browse-inventory', {
    provider,
    text,
    start,
    limit: LIMIT,
    ...(group === undefined ? {} : { group }),
  });
  const { found = 0, group_count: groupCount = 0 } = inventory.data ?? {};
  const columns = useMemo(() => hostColumns(provider), [provider]);
  const groups = useMemo(() => groupColumns(provider), [provider]);
  return (
    <>
      <Group align="flex-end" gap="sm">
        <SearchField
          label={t`Find hosts`}
          placeholder={t`part of a hostname`}
          w={320}
          maw="100%"
          value={text}
          onSearch={(next) =>
            void navigate({ search: (now) => ({ group: now.group, search: next || undefined }), replace: true })
          }
        />
        {group !== undefined && (
          <Button
            variant="light"
            maw="100%"
            rightSection={<IconX size={14} aria-hidden />}
            aria-label={t`Show hosts of all groups, not of ${group} only`}
            onClick={() => void navigate({ search: (now) => ({ search: now.search }) })}
          >
            <Trans>Group {group}</Trans>
          </Button>
        )}
      </Group>
      <Answer of={inventory}>
        {(page) => (
          <Grid gap="lg" aria-busy={inventory.isPlaceholderData}>
            <Grid.Col span={{ base: 12, md: page.group_count === 0 ? 12 : 8 }}>
              <Box opacity={inventory.isPlaceholderData ? 0.6 : 1}>
                <DataTable
                  caption={t`Hosts`}
                  columns={columns}
                  rows={page.hosts}
                  rowKey={({ hostname }) => hostname}
                  empty={
                    page.total === 0
                      ? t`This inventory has no hosts: there are none, or filter rules hide all of them.`
                      : t`No host has this name in this group.`
                  }
                />
                <OffsetPager
                  what={plural(found, { one: 'host', other: 'hosts' })}
                  start={start}
                  limit={LIMIT}
                  found={page.found}
                  total={page.total}
                  onStart={(next) => void navigate({ search: (now) => ({ ...now, start: next || undefined }) })}
                />
              </Box>
            </Grid.Col>
            {page.group_count > 0 && (
              <Grid.Col span={{ base: 12, md: 4 }}>
                <Title order={2} size="h5" mb={4}>
                  {plural(groupCount, { one: '# group', other: '# groups' })}
                </Title>
                <PagesOf rows={page.groups} label={t`groups`}>
                  {(rows) => (
                    <DataTable
                      caption={t`Groups`}
                      minWidth={200}
                      columns={groups}
                      rows={rows}
                      rowKey={({ name }) => name}
                      empty={t`There are no groups.`}
                    />
                  )}
                </PagesOf>
                {page.group_count > page.groups.length && (
                  <Text size="sm" c="dimmed">
                    {firstText(page.groups.length)}
                  </Text>
                )}
              </Grid.Col>
            )}
          </Grid>
        )}
      </Answer>
    </>
  );
}

const firstText = (count: number): string =>
  t`These are the first ${{ count: numberText(count) }}; the download has all.`;
const withinText = (groups: string): string => t`in ${groups}`;

function hostColumns(provider: string): readonly Column<Host>[] {
  return [
    cell.link('hostname', t`Host`, ({ hostname }) => (
      <TextLink to="/inventory/$provider/$hostname" params={{ provider, hostname }}>
        {hostname}
      </TextLink>
    )),
    {
      id: 'groups',
      header: t`Groups`,
      cell: ({ groups }) => (
        <Group gap="xs" miw="min(20rem, 60vw)">
          {groups.slice(0, SHOWN_GROUPS).map((group) => (
            <GroupLink key={group} provider={provider} group={group} />
          ))}
          {groups.length > SHOWN_GROUPS && (
            <Text size="xs" c="dimmed">
              {moreText(groups.length - SHOWN_GROUPS)}
            </Text>
          )}
        </Group>
      ),
    },
  ];
}

function groupColumns(provider: string): readonly Column<InventoryGroup>[] {
  return [
    cell.link('name', t`Group`, ({ name }) => <GroupLink provider={provider} group={name} />, {
      note: ({ parents }) => parents.length > 0 && withinText(parents.join(', ')),
    }),
    cell.number('hosts', t`Hosts`, ({ hosts }) => hosts),
  ];
}

function GroupLink({ provider, group }: { readonly provider: string; readonly group: string }) {
  return (
    <TextLink to="/inventory/$provider" params={{ provider }} search={{ group }} size="sm" className="wrap-anywhere">
      {group}
    </TextLink>
  );
}
