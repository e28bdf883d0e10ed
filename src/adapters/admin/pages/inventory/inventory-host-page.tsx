import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Tabs, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';
import { Answer } from '../parts/answer.tsx';
import { cell } from '../parts/cells.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { Command, Value } from '../parts/value.tsx';
import { valueText } from '../parts/value-text.ts';
import { DownloadButton } from './download-button.tsx';

const route = getRouteApi('/inventory/$provider/$hostname');

interface Variable {
  readonly name: string;
  readonly value: unknown;
}

/** The variables of one host, as an inventory consumer gets them. */
export function InventoryHostPage() {
  const { provider, hostname } = route.useParams();
  const session = useSession();
  const command = `muster inventory ${provider} --host=${hostname}`;
  const variables = useAnswer('inventory/render-inventory', { provider, host: hostname });
  return (
    <Page
      title={hostname}
      above={[
        { to: '/inventory', label: t`Inventory` },
        { to: `/inventory/${encodeURIComponent(provider)}`, label: provider },
      ]}
      description={
        <Trans>
          The same on the command line: <Command>{command}</Command>
        </Trans>
      }
      actions={
        <>
          {may(session, 'hosts/explain-host') && provider !== 'cmk_sites' && (
            <ButtonLink
              to="/hosts/$hostname"
              params={{ hostname }}
              search={{ tab: 'explain', ...(provider === 'automation' ? {} : { project: provider }) }}
              variant="default"
            >
              <Trans>Explain</Trans>
            </ButtonLink>
          )}
          <DownloadButton provider={provider} host={hostname} />
        </>
      }
    >
      <Answer of={variables}>
        {(answer) => <Variables variables={answer as Readonly<Record<string, unknown>>} />}
      </Answer>
    </Page>
  );
}

function Variables({ variables }: { readonly variables: Readonly<Record<string, unknown>> }) {
  const { find = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const rows = useMemo(() => {
    const wanted = find.toLowerCase();
    return Object.entries(variables)
      .map(([name, value]) => ({ name, value }))
      .filter(({ name, value }) => `${name} ${valueText(value)}`.toLowerCase().includes(wanted));
  }, [variables, find]);
  const count = Object.keys(variables).length;
  return (
    <Tabs defaultValue="table">
      <Tabs.List mb="md">
        <Tabs.Tab value="table">
          <Trans>Variables</Trans>
        </Tabs.Tab>
        <Tabs.Tab value="json">JSON</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="table">
        <Stack gap="xs">
          <SearchField
            label={t`Find variables`}
            placeholder={t`part of a name or value`}
            maw={420}
            value={find}
            onSearch={(next) => void navigate({ search: { find: next || undefined }, replace: true })}
          />
          <Text size="sm" c="dimmed" role="status">
            {rows.length === count
              ? plural(count, { one: '# variable', other: '# variables' })
              : t`${{ shown: numberText(rows.length) }} of ${{ all: numberText(count) }} variables`}
          </Text>
          <DataTable
            caption={t`Variables`}
            columns={COLUMNS}
            rows={rows}
            rowKey={({ name }) => name}
            empty={count === 0 ? t`This host has no variables: the filter shows none.` : t`No variable has this text.`}
          />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="json">
        <JsonView value={variables} label={t`Variables as JSON`} />
      </Tabs.Panel>
    </Tabs>
  );
}

const COLUMNS: readonly Column<Variable>[] = [
  cell.text('name', t`Variable`, ({ name }) => name, { sortBy: ({ name }) => name }),
  { id: 'value', header: t`Value`, cell: ({ value }) => <Value value={value} /> },
];
