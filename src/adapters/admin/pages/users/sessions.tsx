import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button } from '@mantine/core';
import { useMemo } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { cell } from '../parts/cells.tsx';
import { confirm } from '../parts/confirm.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { browserName } from './browser-name.ts';

type Row = OfferedOutput<'users/list-own-sessions'>['sessions'][number];

/** Lists the user's own sessions; the one that asks is marked and stays. */
export function OwnSessions() {
  const sessions = useAnswer('users/list-own-sessions', {});
  const end = useAction('users/end-own-sessions', { done: endedText, changes: ['users'] });
  return (
    <Answer of={sessions}>
      {({ sessions: rows }) => (
        <SessionTable rows={rows} endAll={t`End all other sessions`} isPending={end.isPending} onEnd={end.mutate} />
      )}
    </Answer>
  );
}

/** Lists the sessions of a user, for administrators. */
export function UserSessions({ name, mayChange }: { readonly name: string; readonly mayChange: boolean }) {
  const sessions = useAnswer('users/list-sessions', { name });
  const { mutate, isPending } = useAction('users/end-sessions', { done: endedText, changes: ['users'] });
  const onEnd = useMemo(() => (which: Which) => mutate({ name, ...which }), [name, mutate]);
  return (
    <Answer of={sessions}>
      {({ sessions: rows }) => (
        <SessionTable
          rows={rows}
          endAll={t`End all sessions`}
          endsCurrent
          isPending={isPending}
          onEnd={mayChange ? onEnd : undefined}
        />
      )}
    </Answer>
  );
}

function endedText({ ended }: { readonly ended: number }): string {
  return plural(ended, { one: '# session ended.', other: '# sessions ended.' });
}

/** One session, or all those behind the button. */
interface Which {
  readonly session?: string;
}

interface SessionTableProps {
  readonly rows: readonly Row[];
  readonly endAll: string;
  /** True if ending all of them includes the one that asks. */
  readonly endsCurrent?: boolean;
  readonly isPending: boolean;
  /** Absent for users who may not end sessions. */
  readonly onEnd: ((which: Which) => void) | undefined;
}

function SessionTable({ rows, endAll, endsCurrent = false, isPending, onEnd }: SessionTableProps) {
  const columns = useMemo(() => (onEnd === undefined ? COLUMNS : [...COLUMNS, endColumn(onEnd)]), [onEnd]);
  const isOwn = endsCurrent && rows.some(({ current }) => current);
  const askAll = (end: () => void) =>
    confirm({
      title: `${endAll}?`,
      text: isOwn
        ? t`Everyone who uses them has to log in again, including you, because your current session is among them. API tokens stay.`
        : t`Everyone who uses them has to log in again. API tokens stay.`,
      yes: endAll,
      onYes: end,
    });
  return (
    <>
      <DataTable
        caption={t`Sessions`}
        columns={columns}
        rows={rows}
        rowKey={({ session }) => session}
        empty={t`This user has no open session.`}
        minWidth={300}
      />
      {onEnd !== undefined && rows.some(({ current }) => !current) && (
        <div>
          <Button variant="default" loading={isPending} onClick={() => askAll(() => onEnd({}))}>
            {endAll}
          </Button>
        </div>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  cell.text(
    'client',
    t`Browser`,
    ({ client, current }) => (
      <span title={client}>
        {browserName(client)}{' '}
        {current && (
          <Badge size="sm" variant="light" miw="max-content">
            <Trans>this one</Trans>
          </Badge>
        )}
      </span>
    ),
    { note: ({ address }) => t`from ${address}` },
  ),
  cell.when('begun', t`Started`, ({ begun }) => begun, { sortBy: ({ begun }) => begun }),
  cell.when('used', t`Used`, ({ last_used }) => last_used, { sortBy: ({ last_used }) => last_used }),
];

function endColumn(onEnd: (which: Which) => void): Column<Row> {
  return cell.act(
    'end',
    t`End`,
    ({ session, client, address, current }) =>
      !current && (
        <Button
          variant="default"
          size="compact-xs"
          onClick={() => onEnd({ session })}
          aria-label={t`End session of ${{ browser: browserName(client) }} from ${address}`}
        >
          <Trans>End</Trans>
        </Button>
      ),
  );
}
