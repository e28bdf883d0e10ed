import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useMemo, useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { confirm } from '../parts/confirm.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Problem } from '../parts/problem.tsx';
import { problemsByField } from '../parts/problems-by-field.ts';
import { showOnce } from '../parts/show-once.tsx';
import { Command } from '../parts/value.tsx';
import { When } from '../parts/when.tsx';

type Token = OfferedOutput<'users/list-tokens'>['tokens'][number];

interface TokensProps {
  readonly name: string;
  readonly mayChange: boolean;
}

/** The personal tokens of a user: what programs log in with. */
export function Tokens({ name, mayChange }: TokensProps) {
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
        text: `Whatever uses ${prefix}… is refused at once. It cannot be undone; make a new token instead.`,
        yes: 'Revoke',
        onYes: () => mutate({ name, prefix }),
      });
    return mayChange ? [...COLUMNS, revokeColumn(ask)] : COLUMNS;
  }, [name, mayChange, mutate]);
  return (
    <>
      <Answer of={tokens}>
        {({ tokens: all }) => (
          <DataTable
            caption="API tokens"
            columns={columns}
            rows={all}
            rowKey={({ prefix }) => prefix}
            empty={
              <>
                No tokens. Programs log in with one instead of the password; the same is{' '}
                <Command>{`muster user token create ${name} --label backup`}</Command>.
              </>
            }
          />
        )}
      </Answer>
      {mayChange && <NewToken name={name} />}
    </>
  );
}

const COLUMNS: readonly Column<Token>[] = [
  {
    id: 'label',
    header: 'Label',
    sortBy: ({ label }) => label,
    cell: ({ label }) => (
      <Text size="sm" className="wrap-anywhere" miw={120} maw={360}>
        {label}
      </Text>
    ),
  },
  { id: 'prefix', header: 'Begins with', cell: ({ prefix }) => `${prefix}…` },
  { id: 'created', header: 'Made', sortBy: ({ created }) => created, cell: ({ created }) => <When at={created} /> },
  { id: 'carries', header: 'Carries', cell: carriedText },
  {
    id: 'expires',
    header: 'Ends',
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

/** What of its user's rights a token has. */
function carriedText({ roles, read_only, accounts }: Token): string {
  const words = [
    ...(roles ?? []),
    ...(read_only ? ['read-only'] : []),
    ...(accounts === null ? [] : [`accounts ${accounts.join(', ')}`]),
  ];
  return words.length === 0 ? 'all' : words.join(', ');
}

function revokeColumn(ask: (token: Token) => void): Column<Token> {
  return {
    id: 'revoke',
    header: '',
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
    <Text span size="sm" {...(hasEnded && { c: 'red' })}>
      {hasEnded && 'ended '}
      <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
        {at.slice(0, 10)}
      </time>
    </Text>
  );
}

function NewToken({ name }: { readonly name: string }) {
  const [label, setLabel] = useState('');
  const [days, setDays] = useState<string | number>(365);
  const create = useAction('users/create-token', { changes: ['users'], showsProblem: true });
  const { at, elsewhere } = problemsByField(create.error, ['label', 'expires_days']);

  function submit(event: FormEvent): void {
    event.preventDefault();
    create.mutate(
      { name, label, ...(days !== '' && { expires_days: Number(days) }) },
      {
        onSuccess({ token }) {
          setLabel('');
          showOnce({
            title: `Token of ${name} for ${label}`,
            label: 'token',
            value: token,
            text: 'Programs send it as "Authorization: Bearer <token>". It is shown this once; only its hash is kept.',
          });
        },
      },
    );
  }

  return (
    <form onSubmit={submit} aria-label="New token">
      <Stack gap="xs">
        {elsewhere !== undefined && <Problem error={elsewhere} />}
        <Group align="flex-start" gap="sm">
          <TextInput
            label="Label"
            description="What the token is for"
            required
            maxLength={100}
            value={label}
            onChange={({ currentTarget }) => setLabel(currentTarget.value)}
            error={at.get('label')}
            autoComplete="off"
          />
          <NumberInput
            label="Days"
            description="Until it ends; 0: never"
            value={days}
            onChange={setDays}
            min={0}
            max={3650}
            allowDecimal={false}
            clampBehavior="none"
            error={at.get('expires_days')}
          />
        </Group>
        <div>
          <Button type="submit" variant="default" loading={create.isPending}>
            Make a token
          </Button>
        </div>
      </Stack>
    </form>
  );
}
