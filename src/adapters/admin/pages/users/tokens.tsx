import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { type CallError, call } from '../calls/call.ts';
import { useSession } from '../calls/session.ts';
import { isChanged, useAction, useAnswer } from '../calls/use-call.ts';
import { useOnce } from '../calls/use-once.ts';
import { Answer } from '../parts/answer.tsx';
import { Breaking } from '../parts/breaking.tsx';
import { cell } from '../parts/cells.tsx';
import { confirm } from '../parts/confirm.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { dayText } from '../parts/moments.ts';
import { usePreferences } from '../parts/preferences.ts';
import { Command } from '../parts/value.tsx';
import { NewToken, type TokenRequest } from './new-token.tsx';
import { carriedText } from './reach-words.ts';
import type { User } from './rights.ts';

type Token = OfferedOutput<'users/list-tokens'>['tokens'][number];

interface TokensProps {
  readonly user: User;
  readonly mayChange: boolean;
}

/** The personal tokens of a user, for logins of programs. */
export function Tokens({ user, mayChange }: TokensProps) {
  const { name } = user;
  const queries = useQueryClient();
  const tokens = useAnswer('users/list-tokens', { name });
  const revoke = useAction('users/revoke-token', { done: revokedText, changes: ['users'] });
  const create = useOnce(
    useMutation<OfferedOutput<'users/create-token'>, CallError, TokenRequest>({
      mutationFn: (request) => call('users/create-token', { ...request, name }),
      onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(['users'], queryKey[0]) }),
    }),
  );
  const { mutate } = revoke;
  const take = useCallback((prefix: string) => mutate({ name, prefix }), [name, mutate]);
  return (
    <Answer of={tokens}>
      {({ tokens: all, default_days }) => (
        <>
          <TokenTable
            tokens={all}
            revoke={mayChange ? take : undefined}
            empty={
              <Trans>
                No tokens. Programs log in with one instead of the password; the same is{' '}
                <Command>{`muster user token create ${name} --label backup`}</Command>.
              </Trans>
            }
          />
          {mayChange && <NewToken user={user} defaultDays={default_days} create={create} />}
        </>
      )}
    </Answer>
  );
}

/** Lists the tokens of the logged-in user. */
export function OwnTokens() {
  const { user: name, roles, admin, accounts, templates, read_only } = useSession();
  const tokens = useAnswer('users/list-own-tokens', {});
  const revoke = useAction('users/revoke-own-token', { done: revokedText, changes: ['users'] });
  const create = useAction('users/create-own-token', { changes: ['users'], showsProblem: true });
  const { mutate } = revoke;
  const take = useCallback((prefix: string) => mutate({ prefix }), [mutate]);
  const holder = { name, roles, global_admin: admin, accounts, templates, read_only };
  return (
    <Answer of={tokens}>
      {({ tokens: all, default_days }) => (
        <>
          <TokenTable
            tokens={all}
            revoke={read_only ? undefined : take}
            empty={t`You have no tokens. Programs log in with one instead of your password.`}
          />
          {read_only ? (
            <Text size="sm" c="dimmed">
              <Trans>You may only read, so an administrator creates tokens for you.</Trans>
            </Text>
          ) : (
            <NewToken user={holder} defaultDays={default_days} create={create} />
          )}
        </>
      )}
    </Answer>
  );
}

function revokedText({ prefix }: { readonly prefix: string }): string {
  return t`Token ${prefix}… is revoked.`;
}

interface TokenTableProps {
  readonly tokens: readonly Token[];
  /** Absent for users who may not revoke. */
  readonly revoke: ((prefix: string) => void) | undefined;
  readonly empty: ReactNode;
}

function TokenTable({ tokens, revoke, empty }: TokenTableProps) {
  const columns = useMemo(() => {
    if (revoke === undefined) return COLUMNS;
    const ask = ({ prefix, label }: Token) =>
      confirm({
        title: t`Revoke the token for ${label}?`,
        text: t`Programs that use ${prefix}… are refused at once. This cannot be undone; create a new token instead.`,
        yes: t`Revoke`,
        onYes: () => revoke(prefix),
      });
    return [...COLUMNS, revokeColumn(ask)];
  }, [revoke]);
  return (
    <DataTable
      caption={t`API tokens`}
      columns={columns}
      rows={tokens}
      rowKey={({ prefix }) => prefix}
      minWidth={640}
      empty={empty}
    />
  );
}

const COLUMNS: readonly Column<Token>[] = [
  cell.text('label', t`Label`, ({ label }) => label, {
    sortBy: ({ label }) => label,
    note: ({ prefix }) => `${prefix}…`,
  }),
  { id: 'carries', header: t`Rights`, cell: (token) => <Breaking text={carriedText(token)} /> },
  cell.when('created', t`Created`, ({ created }) => created, { sortBy: ({ created }) => created }),
  {
    id: 'expires',
    header: t`Expires`,
    sortBy: ({ expires }) => expires,
    cell: ({ expires }) => <Ends at={expires} />,
  },
  cell.when('used', t`Used`, ({ last_used }) => last_used, { sortBy: ({ last_used }) => last_used }),
];

function revokeColumn(ask: (token: Token) => void): Column<Token> {
  return cell.act('revoke', t`Revoke`, (token) => (
    <Button
      variant="default"
      size="compact-xs"
      onClick={() => ask(token)}
      aria-label={t`Revoke ${{ label: token.label }}`}
    >
      <Trans>Revoke</Trans>
    </Button>
  ));
}

/** A date, because "next year" is too little to go by. */
function Ends({ at }: { readonly at: string | null }) {
  const { zone } = usePreferences();
  if (at === null) return <span className="dimmed">{t`never`}</span>;
  const hasEnded = Date.parse(at) <= Date.now();
  const day = <time dateTime={at}>{dayText(at, zone)}</time>;
  return (
    <Text span inherit className="one-line" {...(hasEnded && { c: 'red' })}>
      {hasEnded ? <Trans>expired {day}</Trans> : day}
    </Text>
  );
}
