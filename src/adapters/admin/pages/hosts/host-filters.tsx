import { t } from '@lingui/core/macro';
import { NativeSelect, Popover, Select, Stack } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAnswer } from '../calls/use-call.ts';
import { Tool } from './tool.tsx';

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

/** Filters of the list in addition to the search; stored in the address of the page. */
export function HostFilters() {
  const { account, kind, state } = route.useSearch();
  const navigate = route.useNavigate();
  const [isOpen, setOpen] = useState(false);
  const accounts = useAnswer('accounts/list-accounts', {});
  const chosen = [
    [t`Account`, account],
    [t`Kind`, labelOf(KINDS, kind)],
    [t`State`, labelOf(STATES, state)],
  ].flatMap(([label, value]) => (value === undefined ? [] : `${label}: ${value}`));
  const names = accounts.data?.accounts.map(({ name }) => name) ?? [];

  function narrow(change: Record<string, string | undefined>): void {
    void navigate({ search: (now) => ({ ...now, after: undefined, ...change }), resetScroll: false });
  }

  return (
    <>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" withinPortal={false} trapFocus shadow="md">
        <Popover.Target>
          <Tool
            icon={IconAdjustmentsHorizontal}
            label={chosen.length === 0 ? t`Filters` : t`Filters (${{ count: chosen.length }})`}
            aria-expanded={isOpen}
            {...(chosen.length > 0 && { title: chosen.join(' · '), variant: 'light' })}
            onClick={() => setOpen(!isOpen)}
          />
        </Popover.Target>
        <Popover.Dropdown aria-label={t`Filters`}>
          <Stack gap="xs" w={240}>
            <Select
              label={t`Account`}
              placeholder={t`All accounts`}
              searchable
              clearable
              nothingFoundMessage={t`No such account`}
              comboboxProps={{ withinPortal: false }}
              data={account === undefined || names.includes(account) ? names : [account, ...names]}
              value={account ?? null}
              onChange={(name) => narrow({ account: name ?? undefined })}
            />
            <NativeSelect
              label={t`Kind`}
              data={KINDS}
              value={kind ?? ''}
              onChange={(event) => narrow({ kind: event.currentTarget.value || undefined })}
            />
            <NativeSelect
              label={t`State`}
              data={STATES}
              value={state ?? ''}
              onChange={(event) => narrow({ state: event.currentTarget.value || undefined })}
            />
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {chosen.length > 0 && <div className="only-printed" data-printed={chosen.join(' · ')} />}
    </>
  );
}

function labelOf(choices: typeof KINDS, chosen: string | undefined): string | undefined {
  return chosen === undefined ? undefined : choices.find(({ value }) => value === chosen)?.label;
}
