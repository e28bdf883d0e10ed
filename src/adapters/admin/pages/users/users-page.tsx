import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { OfferedOutput } from '../../offered-operations.ts';
import type { CallError } from '../calls/call.ts';
import { download } from '../calls/download.ts';
import { may, useSession } from '../calls/session.ts';
import { showProblem, useAnswer } from '../calls/use-call.ts';
import { cell } from '../parts/cells.tsx';
import type { Column } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { List } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Command } from '../parts/value.tsx';
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
  const save = useMutation<void, CallError>({
    mutationFn: () => download('users/user-table', {}, 'users.csv'),
    onError: showProblem,
  });
  return (
    <Page
      title={t`Users`}
      description={t`Users of the service, with their roles and the hosts that they may see.`}
      add={{ to: '/users/new', label: t`New user`, operation: 'users/add-user' }}
      actions={
        may(session, 'users/user-table') && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            aria-label={t`Download ${{ name: 'CSV' }}`}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            CSV
          </Button>
        )
      }
    >
      <List
        of={users}
        caption={t`Users`}
        columns={COLUMNS}
        rows={({ users: all }) => all}
        rowKey={({ name }) => name}
        find={{
          label: t`Filter by name, e-mail or role`,
          text,
          onText,
          in: ({ name, email, roles }) => [name, email, ...roles],
          none: t`No user has "${text}" in name, e-mail or roles.`,
        }}
        empty={<NoUsers />}
      />
      <SignInMethods />
    </Page>
  );
}

function NoUsers() {
  return (
    <Trans>
      There are no users yet. Make one here, or with <Command>muster user add &lt;name&gt; --role all --admin</Command>.
    </Trans>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  cell.link(
    'name',
    t`Name`,
    ({ name }) => (
      <TextLink to="/users/$name" params={{ name }}>
        {name}
      </TextLink>
    ),
    { sortBy: ({ name }) => name, note: ({ email }) => email },
  ),
  cell.text(
    'roles',
    t`Roles`,
    ({ roles, global_admin }) => [...(global_admin ? [t`administrator`] : []), ...roles].join(', ') || t`none`,
  ),
  cell.text('accounts', t`Accounts`, ({ accounts, templates }) => hostsText({ accounts, templates })),
  {
    id: 'state',
    header: t`State`,
    sortBy: ({ disabled, read_only, waits }) => (waits ? 3 : disabled ? 2 : read_only ? 1 : 0),
    cell: ({ disabled, read_only, waits }) => (
      <Group gap={4}>
        {waits && <StatusBadge tone="warning">{t`waits`}</StatusBadge>}
        {disabled && <StatusBadge tone="bad">{t`disabled`}</StatusBadge>}
        {read_only && <StatusBadge tone="quiet">{t`read-only`}</StatusBadge>}
        {!disabled && !read_only && <span className="dimmed">{t`active`}</span>}
      </Group>
    ),
  },
  cell.when('login', t`Last login`, ({ last_login }) => last_login, { sortBy: ({ last_login }) => last_login }),
  cell.number('tokens', t`Tokens`, ({ tokens }) => tokens, { sortBy: ({ tokens }) => tokens }),
  cell.when('used', t`Token used`, ({ last_token_use, tokens }) => (tokens === 0 ? undefined : last_token_use), {
    sortBy: ({ last_token_use }) => last_token_use,
  }),
];
