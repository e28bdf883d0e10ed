import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { addressBelow } from '../calls/below.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';
import { cell } from '../parts/cells.tsx';
import type { Column } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { List } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import { Command } from '../parts/value.tsx';

type Provider = OfferedOutput<'inventory/list-providers'>['providers'][number];

/** Address of an inventory. */
const address = addressBelow('/api/v1/inventory/automation/<provider>');
/** Inventories of up to this many hosts are built just to count them, without a request. */
const CHEAP_HOSTS = 10_000;

/** The inventories that consumers can ask for. */
export function ProvidersPage() {
  const session = useSession();
  const providers = useAnswer('inventory/list-providers', {});
  const isCounted = (providers.data?.hosts ?? Number.POSITIVE_INFINITY) <= CHEAP_HOSTS;
  const seesRules = may(session, 'rules/find-rules');
  const columns = useMemo(() => columnsOf(isCounted, seesRules), [isCounted, seesRules]);
  return (
    <Page
      title={t`Inventory`}
      description={
        <Trans>
          Inventory as playbooks and other consumers get it, by provider. Over HTTP: <Command>{address}</Command>
        </Trans>
      }
    >
      <List
        of={providers}
        caption={t`Inventory providers`}
        columns={columns}
        rows={(data) => data.providers}
        rowKey={({ name }) => name}
        empty={t`There are no inventory providers. Plugins add them, and each enabled project is one.`}
      />
      {seesRules && (
        <Text size="sm" c="dimmed">
          <Trans>
            Each enabled{' '}
            <TextLink to="/rules/$type" params={{ type: 'automation_projects' }}>
              project
            </TextLink>{' '}
            is its own provider, rendered by the rules that name it.
          </Trans>
        </Text>
      )}
    </Page>
  );
}

function columnsOf(isCounted: boolean, seesRules: boolean): readonly Column<Provider>[] {
  return [
    cell.link(
      'name',
      t`Provider`,
      ({ name }) => (
        <TextLink to="/inventory/$provider" params={{ provider: name }}>
          {name}
        </TextLink>
      ),
      { sortBy: ({ name }) => name },
    ),
    cell.text('origin', t`From`, (provider) => <Origin provider={provider} seesRules={seesRules} />),
    cell.text('description', t`Content`, ({ name, project }) => project?.description || CONTENT[name] || ''),
    ...(isCounted
      ? [
          {
            id: 'hosts',
            header: t`Hosts`,
            alignRight: true,
            cell: ({ name }: Provider) => <HostCount provider={name} />,
          },
        ]
      : []),
  ];
}

const CONTENT: Readonly<Record<string, string>> = {
  automation: t`All active hosts, rendered by the rules without a project.`,
  cmk_sites: t`The servers of the enabled monitoring sites.`,
};

function Origin({ provider, seesRules }: { readonly provider: Provider; readonly seesRules: boolean }) {
  const { plugin, project } = provider;
  if (project === null) return plugin === null ? t`a plugin` : t`plugin ${plugin}`;
  if (!seesRules) return t`project`;
  return (
    <TextLink to="/rules/$type/$id" params={{ type: 'automation_projects', id: project.id }}>
      <Trans>project</Trans>
    </TextLink>
  );
}

function HostCount({ provider }: { readonly provider: string }) {
  const index = useAnswer('inventory/browse-inventory', { provider, limit: 1 });
  if (index.isError) {
    return (
      <Text span size="sm" c="red" title={index.error.message}>
        <Trans>fails</Trans>
      </Text>
    );
  }
  return index.data === undefined ? '…' : numberText(index.data.total);
}
