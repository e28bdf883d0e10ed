import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAnswer } from '../calls/use-call.ts';
import { cell } from '../parts/cells.tsx';
import type { Column } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { List } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import { Command } from '../parts/value.tsx';
import { SinceWhen } from './incomplete.tsx';
import { LastRun } from './last-run.tsx';
import { OwnedHosts } from './owned-hosts.tsx';

type Row = OfferedOutput<'accounts/show-accounts'>['accounts'][number];

interface AccountsPageProps {
  /** Part of a name or type. */
  readonly text: string;
  readonly onText: (text: string) => void;
}

export function AccountsPage({ text, onText }: AccountsPageProps) {
  const accounts = useAnswer('accounts/show-accounts', {}, { everySeconds: 30 });
  return (
    <Page
      title={t`Accounts`}
      description={t`Sources and targets of hosts, and accounts that the API writes to.`}
      add={{ to: '/accounts/new', label: t`New account`, operation: 'accounts/add-account' }}
    >
      <List
        of={accounts}
        caption={t`Accounts`}
        columns={COLUMNS}
        rows={({ accounts: all }) => all}
        rowKey={({ name }) => name}
        find={{
          label: t`Filter by name or type`,
          text,
          onText,
          in: ({ name, type }) => [name, type],
          none: t`No account has "${text}" in its name or type.`,
        }}
        empty={<NoAccounts />}
      />
    </Page>
  );
}

const ADD_ONE = 'muster account add <name> --type csv --set path=hosts.csv';

function NoAccounts() {
  return (
    <Trans>
      There are no accounts yet. Create one here, or with <Command>{ADD_ONE}</Command>.
    </Trans>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  cell.link(
    'name',
    t`Name`,
    ({ name, enabled }) => (
      <>
        <TextLink to="/accounts/$name" params={{ name }}>
          {name}
        </TextLink>{' '}
        {!enabled && (
          <Badge size="sm" variant="light" color="gray">
            <Trans>disabled</Trans>
          </Badge>
        )}
      </>
    ),
    { sortBy: ({ name }) => name },
  ),
  cell.text('type', t`Type`, ({ type, kind }) => (kind === 'unknown' ? <UnknownType type={type} /> : type), {
    sortBy: ({ type }) => type,
    note: ({ is_object }) => is_object && t`objects`,
  }),
  {
    id: 'hosts',
    header: t`Hosts`,
    alignRight: true,
    sortBy: ({ hosts }) => hosts,
    cell: ({ name, hosts, is_object, kind }) =>
      kind === 'target' ? null : <OwnedHosts account={name} hosts={hosts} isObject={is_object} />,
  },
  {
    id: 'run',
    header: t`Last run`,
    sortBy: ({ last_run }) => last_run?.time ?? null,
    cell: (account) => (
      <>
        <LastRun of={account} isShort />
        {account.incomplete !== null && (
          <Text size="xs" c="red">
            <SinceWhen of={account.incomplete} />
          </Text>
        )}
      </>
    ),
  },
];

function UnknownType({ type }: { readonly type: string }) {
  return (
    <Text span inherit c="red" title={t`No plugin provides this type`}>
      <Trans>{type} (no plugin)</Trans>
    </Text>
  );
}
