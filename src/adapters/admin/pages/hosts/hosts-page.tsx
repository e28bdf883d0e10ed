import { Badge, Box, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ARCHIVE_REASONS } from '../../../../app/hosts/words.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';
import type { FoundHost } from './host.ts';
import { HostFilters } from './host-filters.tsx';
import { HostLink } from './host-link.tsx';
import { HostPager, PAGE_SIZE } from './host-pager.tsx';
import { LabelChips } from './label-chips.tsx';
import { NoHosts } from './no-hosts.tsx';

const route = getRouteApi('/hosts');

/** All hosts and objects that the person may see. */
export function HostsPage() {
  const { where, account, kind, state, after } = route.useSearch();
  const session = useSession();
  const asked = {
    ...(where === undefined ? {} : { where }),
    ...(account === undefined ? {} : { account }),
    ...(kind === undefined ? {} : { kind }),
    ...(state === undefined ? {} : { state }),
  };
  const found = useAnswer('search/search-hosts', {
    limit: PAGE_SIZE,
    inventory: false,
    ...asked,
    ...(after === undefined ? {} : { after }),
  });
  // The first hosts are there before all of them are counted.
  const counted = useAnswer('search/count-hosts', asked, { enabled: where !== undefined });
  const columns = useMemo(() => columnsOf(where, state), [where, state]);
  return (
    <Page
      title="Hosts"
      actions={
        may(session, 'hosts/save-host') && (
          <ButtonLink to="/hosts/new" search={{ account }} leftSection={<IconPlus size={16} aria-hidden />}>
            New host
          </ButtonLink>
        )
      }
    >
      <HostFilters />
      <Answer of={found}>
        {(page) => (
          <Box aria-busy={found.isPlaceholderData} opacity={found.isPlaceholderData ? 0.6 : 1}>
            <HostPager page={page} count={where === undefined ? undefined : counted.data} place="above" />
            <DataTable
              caption="Hosts"
              columns={columns}
              rows={page.hosts}
              rowKey={(host) => host.hostname}
              empty={<NoHosts hasMore={page.next !== null} />}
            />
            {page.hosts.length > 15 && <HostPager page={page} place="below" />}
          </Box>
        )}
      </Answer>
    </Page>
  );
}

/** Longer names are broken into lines. */
const LONG_NAME = 48;

function columnsOf(where: string | undefined, state: string | undefined): readonly Column<FoundHost>[] {
  const wanted = where?.match(/^-?([^\s:=<>~!]+)\s*[:=<>~!]/)?.[1];
  return [
    { id: 'hostname', header: 'Hostname', cell: hostnameCell },
    { id: 'account', header: 'Account', cell: ({ account }) => account ?? 'none' },
    ...(state === undefined ? [] : [{ id: 'archived', header: 'Archived', cell: archivedCell }]),
    { id: 'seen', header: 'Last seen', cell: (host) => <Moment at={host.last_seen} /> },
    { id: 'update', header: 'Last update', cell: (host) => <Moment at={host.last_update} /> },
    { id: 'labels', header: 'Labels', cell: ({ labels }) => <LabelChips labels={labels} first={wanted} /> },
  ];
}

function hostnameCell({ hostname, object_type: type }: FoundHost) {
  const isLong = hostname.length > LONG_NAME;
  return (
    <Box miw={isLong ? 260 : 0} {...(isLong ? {} : { style: { whiteSpace: 'nowrap' } })}>
      <HostLink hostname={hostname} />
      {type !== 'host' && (
        <Badge ml="xs" variant="light" color="gray" radius="sm" tt="none" fw={400}>
          {type}
        </Badge>
      )}
    </Box>
  );
}

function Moment({ at }: { readonly at: string | false }) {
  return (
    <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
      <When at={at} />
    </Text>
  );
}

function archivedCell({ archived }: FoundHost) {
  if (archived === null) return 'no';
  return (
    <Text size="sm" miw={160}>
      <When at={archived.at} />, {ARCHIVE_REASONS[archived.by]}
    </Text>
  );
}
