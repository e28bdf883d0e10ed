import { Box, Flex, NativeSelect, Select } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../calls/use-call.ts';
import { SearchField } from '../parts/search-field.tsx';

const route = getRouteApi('/hosts');

const KINDS = [
  { value: '', label: 'Hosts and objects' },
  { value: 'hosts', label: 'Hosts' },
  { value: 'objects', label: 'Objects' },
];

const STATES = [
  { value: '', label: 'Active' },
  { value: 'archived', label: 'Archived' },
  { value: 'any', label: 'Active and archived' },
];

/** What the list is narrowed to; it stands in the address of the page. */
export function HostFilters() {
  const { search, account, kind, state } = route.useSearch();
  const navigate = route.useNavigate();
  const accounts = useAnswer('accounts/list-accounts', {});
  const names = accounts.data?.accounts.map(({ name }) => name) ?? [];

  function narrow(change: Record<string, string | undefined>, replace = false): void {
    void navigate({ search: (now) => ({ ...now, after: undefined, ...change }), replace, resetScroll: false });
  }

  return (
    <Flex gap="xs" wrap="wrap">
      <Box flex="2 1 18rem">
        <SearchField
          label="Search"
          placeholder="part of a hostname, label=value, or serial=…"
          title="Part of a hostname, a key such as serial=J4711, or label=value. * at either end of the value matches anything: os=debian*"
          value={search ?? ''}
          onSearch={(text) => narrow({ search: text === '' ? undefined : text }, search !== undefined)}
        />
      </Box>
      <Select
        label="Account"
        flex="1 1 12rem"
        placeholder="All accounts"
        searchable
        clearable
        nothingFoundMessage="No such account"
        data={account === undefined || names.includes(account) ? names : [account, ...names]}
        value={account ?? null}
        onChange={(name) => narrow({ account: name ?? undefined })}
      />
      <NativeSelect
        label="Kind"
        flex="1 1 10rem"
        data={KINDS}
        value={kind ?? ''}
        onChange={(event) => narrow({ kind: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        label="State"
        flex="1 1 10rem"
        data={STATES}
        value={state ?? ''}
        onChange={(event) => narrow({ state: event.currentTarget.value || undefined })}
      />
    </Flex>
  );
}
