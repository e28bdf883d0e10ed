import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Command } from '../parts/value.tsx';
import { When } from '../parts/when.tsx';
import { hostsText } from './reach-words.ts';
import { SignInMethods } from './sign-in-methods.tsx';

type Row = OfferedOutput<'users/list-users'>['users'][number];

interface UsersPageProps {
  /** Part of a name, address or role. */
  readonly text: string;
  readonly onText: (text: string) => void;
}

export function UsersPage({ text, onText }: UsersPageProps) {
  const session = useSession();
  const users = useAnswer('users/list-users', {});
  return (
    <Page
      title={t`Users`}
      description={t`Who may use the service, with which roles and for which hosts.`}
      actions={
        may(session, 'users/add-user') && (
          <ButtonLink to="/users/new" leftSection={<IconPlus size={16} />}>
            <Trans>New user</Trans>
          </ButtonLink>
        )
      }
    >
      <SearchField label={t`Filter by name, e-mail or role`} value={text} onSearch={onText} maw={320} />
      <Answer of={users}>
        {({ users: all }) => (
          <DataTable
            caption={t`Users`}
            columns={COLUMNS}
            rows={all.filter((user) => searched(user).includes(text.toLowerCase()))}
            rowKey={({ name }) => name}
            empty={all.length === 0 ? <NoUsers /> : t`No user has "${text}" in name, e-mail or roles.`}
          />
        )}
      </Answer>
      <SignInMethods />
    </Page>
  );
}

function searched({ name, email, roles }: Row): string {
  return [name, email, ...roles].join('\n').toLowerCase();
}

function NoUsers() {
  return (
    <Trans>
      There are no users yet. Make one here, or with <Command>muster user add &lt;name&gt; --role all --admin</Command>.
    </Trans>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    header: t`Name`,
    sortBy: ({ name }) => name,
    cell: ({ name, email }) => (
      <Text size="sm" component="div" className="wrap-anywhere" miw={120}>
        <TextLink to="/users/$name" params={{ name }} inherit>
          {name}
        </TextLink>
        {email !== '' && (
          <Text size="xs" c="dimmed">
            {email}
          </Text>
        )}
      </Text>
    ),
  },
  {
    id: 'roles',
    header: t`Roles`,
    cell: ({ roles, global_admin }) => [...(global_admin ? [t`administrator`] : []), ...roles].join(', ') || t`none`,
  },
  {
    id: 'accounts',
    header: t`Accounts`,
    cell: ({ accounts, templates }) => (
      <Text span size="sm" className="wrap-anywhere">
        {hostsText({ accounts, templates })}
      </Text>
    ),
  },
  {
    id: 'state',
    header: t`State`,
    sortBy: ({ disabled, read_only, waits }) => (waits ? 3 : disabled ? 2 : read_only ? 1 : 0),
    cell: ({ disabled, read_only, waits }) => (
      <Group gap={4}>
        {waits && <StatusBadge tone="warning">{t`waits`}</StatusBadge>}
        {disabled && (
          <Badge size="sm" variant="light" miw="max-content" color="red">
            <Trans>disabled</Trans>
          </Badge>
        )}
        {read_only && (
          <Badge size="sm" variant="light" miw="max-content" color="gray">
            <Trans>read-only</Trans>
          </Badge>
        )}
        {!disabled && !read_only && (
          <Text span size="sm" c="dimmed">
            <Trans>active</Trans>
          </Text>
        )}
      </Group>
    ),
  },
  { id: 'tokens', header: t`Tokens`, alignRight: true, sortBy: ({ tokens }) => tokens, cell: ({ tokens }) => tokens },
  {
    id: 'used',
    header: t`Token used`,
    sortBy: ({ last_token_use }) => last_token_use,
    cell: ({ last_token_use, tokens }) => (tokens === 0 ? null : <When at={last_token_use} />),
  },
];
