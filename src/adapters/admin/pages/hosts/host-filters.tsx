import { t } from '@lingui/core/macro';
import { Box, Flex, NativeSelect, Select } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../calls/use-call.ts';
import { QueryField } from './query-field.tsx';

const route = getRouteApi('/hosts');

const KINDS = [
  { value: '', label: t`Hosts and objects` },
  { value: 'hosts', label: t`Hosts` },
  { value: 'objects', label: t`Objects` },
];

const STATES = [
  { value: '', label: t`Active` },
  { value: 'archived', label: t`Archived` },
  { value: 'any', label: t`Active and archived` },
];

/** What the list is narrowed to; it stands in the address of the page. `problem` is why the search cannot be read. */
export function HostFilters({ problem }: { readonly problem: string | undefined }) {
  const { where, account, kind, state } = route.useSearch();
  const navigate = route.useNavigate();
  const accounts = useAnswer('accounts/list-accounts', {});
  const printed = [
    [t`Account`, account],
    [t`Kind`, labelOf(KINDS, kind)],
    [t`State`, labelOf(STATES, state)],
  ].flatMap(([label, value]) => (value === undefined ? [] : `${label}: ${value}`));
  const names = accounts.data?.accounts.map(({ name }) => name) ?? [];

  function narrow(change: Record<string, string | undefined>, replace = false): void {
    void navigate({ search: (now) => ({ ...now, after: undefined, ...change }), replace, resetScroll: false });
  }

  return (
    <Flex gap="xs" wrap="wrap">
      <Box flex="4 1 24rem">
        <QueryField
          value={where ?? ''}
          problem={problem}
          onSearch={(text) => narrow({ where: text === '' ? undefined : text }, where !== undefined)}
        />
        {printed.length > 0 && <div data-printed={printed.join(' · ')} />}
      </Box>
      <Select
        label={t`Account`}
        flex="1 1 10rem"
        placeholder={t`All accounts`}
        searchable
        clearable
        nothingFoundMessage={t`No such account`}
        data={account === undefined || names.includes(account) ? names : [account, ...names]}
        value={account ?? null}
        onChange={(name) => narrow({ account: name ?? undefined })}
      />
      <NativeSelect
        label={t`Kind`}
        flex="1 1 9rem"
        data={KINDS}
        value={kind ?? ''}
        onChange={(event) => narrow({ kind: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        label={t`State`}
        flex="1 1 9rem"
        data={STATES}
        value={state ?? ''}
        onChange={(event) => narrow({ state: event.currentTarget.value || undefined })}
      />
    </Flex>
  );
}

function labelOf(choices: typeof KINDS, chosen: string | undefined): string | undefined {
  return chosen === undefined ? undefined : choices.find(({ value }) => value === chosen)?.label;
}
