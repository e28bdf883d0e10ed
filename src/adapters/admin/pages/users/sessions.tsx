import { Badge, Button, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { confirm } from '../parts/confirm.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { When } from '../parts/when.tsx';

type Row = OfferedOutput<'users/list-own-sessions'>['sessions'][number];

/** Where the person is logged in; the session that asks is marked and stays. */
export function OwnSessions() {
  const sessions = useAnswer('users/list-own-sessions', {});
  const end = useAction('users/end-own-sessions', { done: endedText, changes: ['users'] });
  return (
    <Answer of={sessions}>
      {({ sessions: rows }) => (
        <SessionTable
          rows={rows}
          endAll="End all others"
          isPending={end.isPending}
          onEnd={(session) => end.mutate({ session })}
          onEndAll={() => end.mutate({})}
        />
      )}
    </Answer>
  );
}

/** Where a user is logged in, for administrators. */
export function UserSessions({ name, mayChange }: { readonly name: string; readonly mayChange: boolean }) {
  const sessions = useAnswer('users/list-sessions', { name });
  const end = useAction('users/end-sessions', { done: endedText, changes: ['users'] });
  return (
    <Answer of={sessions}>
      {({ sessions: rows }) => (
        <SessionTable
          rows={rows}
          endAll="End all"
          isPending={end.isPending}
          {...(mayChange && {
            onEnd: (session: string) => end.mutate({ name, session }),
            onEndAll: () => end.mutate({ name }),
          })}
        />
      )}
    </Answer>
  );
}

function endedText({ ended }: { readonly ended: number }): string {
  return `${ended} ${ended === 1 ? 'session' : 'sessions'} ended.`;
}

interface SessionTableProps {
  readonly rows: readonly Row[];
  readonly endAll: string;
  readonly isPending: boolean;
  readonly onEnd?: (session: string) => void;
  readonly onEndAll?: () => void;
}

function SessionTable({ rows, endAll, isPending, onEnd, onEndAll }: SessionTableProps) {
  const columns = useMemo(() => (onEnd === undefined ? COLUMNS : [...COLUMNS, endColumn(onEnd)]), [onEnd]);
  const askAll = (end: () => void) =>
    confirm({
      title: `${endAll} sessions?`,
      text: 'Whoever uses them has to log in again. API tokens stay.',
      yes: endAll,
      onYes: end,
    });
  return (
    <>
      <DataTable
        caption="Sessions"
        columns={columns}
        rows={rows}
        rowKey={({ session }) => session}
        empty="Nobody is logged in here as this user."
      />
      {onEndAll !== undefined && rows.some(({ current }) => !current) && (
        <div>
          <Button variant="default" loading={isPending} onClick={() => askAll(onEndAll)}>
            {endAll}
          </Button>
        </div>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'client',
    header: 'Browser',
    cell: ({ client, current }) => (
      <Group gap="xs">
        <Text size="sm" className="wrap-anywhere" miw={120} maw={360}>
          {client === '' ? 'unknown' : client}
        </Text>
        {current && (
          <Badge size="sm" variant="light">
            this one
          </Badge>
        )}
      </Group>
    ),
  },
  { id: 'address', header: 'From', cell: ({ address }) => address },
  { id: 'begun', header: 'Begun', sortBy: ({ begun }) => begun, cell: ({ begun }) => <When at={begun} /> },
  {
    id: 'used',
    header: 'Used',
    sortBy: ({ last_used }) => last_used,
    cell: ({ last_used }) => <When at={last_used} />,
  },
];

function endColumn(onEnd: (session: string) => void): Column<Row> {
  return {
    id: 'end',
    header: '',
    alignRight: true,
    cell: ({ session, current }) =>
      !current && (
        <Button
          variant="default"
          size="compact-xs"
          onClick={() => onEnd(session)}
          aria-label={`End session ${session}`}
        >
          End
        </Button>
      ),
  };
}
