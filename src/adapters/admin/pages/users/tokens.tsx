import { Button, Text } from '@mantine/core';
import { useMemo } from 'react';
import { carriedText } from '../../../../app/users/words.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { Breaking } from '../parts/breaking.tsx';
import { confirm } from '../parts/confirm.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Command } from '../parts/value.tsx';
import { When } from '../parts/when.tsx';
import { NewToken } from './new-token.tsx';
import type { User } from './rights.ts';

type Token = OfferedOutput<'users/list-tokens'>['tokens'][number];

interface TokensProps {
  readonly user: User;
  readonly mayChange: boolean;
}

/** The personal tokens of a user: what programs log in with. */
export function Tokens({ user, mayChange }: TokensProps) {
  const { name } = user;
  const tokens = useAnswer('users/list-tokens', { name });
  const revoke = useAction('users/revoke-token', {
    done: ({ prefix }) => `Token ${prefix}… is revoked.`,
    changes: ['users'],
  });
  const { mutate } = revoke;
  const columns = useMemo(() => {
    const ask = ({ prefix, label }: Token) =>
      confirm({
        title: `Revoke the token for ${label}?`,
        text: `Programs that use ${prefix}… are refused at once. This cannot be undone; create a new token instead.`,
        yes: 'Revoke',
        onYes: () => mutate({ name, prefix }),
      });
    return mayChange ? [...COLUMNS, revokeColumn(ask)] : COLUMNS;
  }, [name, mayChange, mutate]);
  return (
    <Answer of={tokens}>
      {({ tokens: all, default_days }) => (
        <>
          <DataTable
            caption="API tokens"
            columns={columns}
            rows={all}
            rowKey={({ prefix }) => prefix}
            minWidth={640}
            empty={
              <>
                No tokens. Programs log in with one instead of the password; the same is{' '}
                <Command>{`muster user token create ${name} --label backup`}</Command>.
              </>
            }
          />
          {mayChange && <NewToken user={user} defaultDays={default_days} />}
        </>
      )}
    </Answer>
  );
}

const COLUMNS: readonly Column<Token>[] = [
  {
    id: 'label',
    header: 'Label',
    sortBy: ({ label }) => label,
    cell: ({ label, prefix }) => (
      <Text size="sm" component="div" className="wrap-anywhere" miw={120} maw={360}>
        {label}
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {prefix}…
        </Text>
      </Text>
    ),
  },
  { id: 'carries', header: 'Rights', cell: (token) => <Breaking text={carriedText(token)} /> },
  { id: 'created', header: 'Created', sortBy: ({ created }) => created, cell: ({ created }) => <When at={created} /> },
  {
    id: 'expires',
    header: 'Expires',
    sortBy: ({ expires }) => expires,
    cell: ({ expires }) => <Ends at={expires} />,
  },
  {
    id: 'used',
    header: 'Used',
    sortBy: ({ last_used }) => last_used,
    cell: ({ last_used }) => <When at={last_used} />,
  },
];

function revokeColumn(ask: (token: Token) => void): Column<Token> {
  return {
    id: 'revoke',
    header: 'Revoke',
    isHeaderHidden: true,
    alignRight: true,
    cell: (token) => (
      <Button variant="default" size="compact-xs" onClick={() => ask(token)} aria-label={`Revoke ${token.label}`}>
        Revoke
      </Button>
    ),
  };
}

/** A date, because "next year" is too little to go by. */
function Ends({ at }: { readonly at: string | null }) {
  if (at === null) return <When at={null} />;
  const hasEnded = Date.parse(at) <= Date.now();
  return (
    <Text span size="sm" style={{ whiteSpace: 'nowrap' }} {...(hasEnded && { c: 'red' })}>
      {hasEnded && 'expired '}
      <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
        {at.slice(0, 10)}
      </time>
    </Text>
  );
}
