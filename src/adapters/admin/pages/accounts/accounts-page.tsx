import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { SearchField } from '../parts/search-field.tsx';
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
  const session = useSession();
  const accounts = useAnswer('accounts/show-accounts', {}, { everySeconds: 30 });
  return (
    <Page
      title={t`Accounts`}
      description={t`Where hosts come from and go to: sources, targets, and accounts that the API writes to.`}
      actions={
        may(session, 'accounts/add-account') && (
          <ButtonLink to="/accounts/new" leftSection={<IconPlus size={16} />}>
            <Trans>New account</Trans>
          </ButtonLink>
        )
      }
    >
      <SearchField label={t`Filter by name or type`} value={text} onSearch={onText} maw={320} />
      <Answer of={accounts}>
        {({ accounts: all }) => (
          <DataTable
            caption={t`Accounts`}
            columns={COLUMNS}
            rows={all.filter(({ name, type }) => `${name}\n${type}`.toLowerCase().includes(text.toLowerCase()))}
            rowKey={({ name }) => name}
            empty={all.length === 0 ? <NoAccounts /> : t`No account has "${text}" in its name or type.`}
          />
        )}
      </Answer>
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
  {
    id: 'name',
    header: t`Name`,
    sortBy: ({ name }) => name,
    cell: ({ name, enabled }) => (
      <Text size="sm" component="div" className="wrap-anywhere" miw={120}>
        <TextLink to="/accounts/$name" params={{ name }} inherit>
          {name}
        </TextLink>{' '}
        {!enabled && (
          <Badge size="sm" variant="light" color="gray">
            <Trans>disabled</Trans>
          </Badge>
        )}
      </Text>
    ),
  },
  {
    id: 'type',
    header: t`Type`,
    sortBy: ({ type }) => type,
    cell: ({ type, kind, is_object }) => (
      <Text size="sm" component="div">
        {kind === 'unknown' ? <UnknownType type={type} /> : type}
        {is_object && (
          <Text size="xs" c="dimmed">
            <Trans>objects</Trans>
          </Text>
        )}
      </Text>
    ),
  },
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
    <Text span size="sm" c="red" title={t`No plugin provides this type`}>
      <Trans>{type} (no plugin)</Trans>
    </Text>
  );
}
