import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { providedWords } from './provided-words.ts';

type Plugin = OfferedOutput<'system/list-plugins'>['plugins'][number];

/** All plugins with what they bring; broken ones first, with the reason. */
export function PluginsTab() {
  const { version } = useSession();
  const answer = useAnswer('system/list-plugins', {});
  const columns = useMemo(() => columnsOf(version), [version]);
  return (
    <Answer of={answer}>
      {({ plugins }) => (
        <DataTable
          caption={t`Plugins`}
          minWidth={820}
          columns={columns}
          rows={[...plugins].sort((a, b) => Number(a.state === 'running') - Number(b.state === 'running'))}
          rowKey={({ id, origin, message }) => `${id} ${origin} ${message}`}
          empty={t`There are no plugins.`}
        />
      )}
    </Answer>
  );
}

function columnsOf(ownVersion: string): readonly Column<Plugin>[] {
  return [
    {
      id: 'id',
      header: t`Plugin`,
      cell: ({ id, description }) => (
        <>
          <Text size="sm" fw={600} className="wrap-anywhere">
            {id}
          </Text>
          <Text size="xs" c="dimmed" className="wrap-anywhere">
            {description}
          </Text>
        </>
      ),
    },
    {
      id: 'state',
      header: t`State`,
      cell: ({ state }) => (
        <StatusBadge tone={state === 'running' ? 'good' : 'bad'}>
          {state === 'running' ? t`running` : t`failed`}
        </StatusBadge>
      ),
    },
    {
      id: 'version',
      header: t`Version`,
      cell: ({ version, origin }) => version || (origin === 'built in' ? ownVersion : t`unknown`),
    },
    {
      id: 'origin',
      header: t`From`,
      cell: ({ origin }) =>
        origin === 'built in' ? (
          <span className="one-line">{t`built in`}</span>
        ) : (
          <Text size="sm" className="wrap-anywhere">
            {origin}
          </Text>
        ),
    },
    {
      id: 'provides',
      header: t`Provides`,
      cell: ({ state, provides, message }) => (
        <Text size="sm" className="wrap-anywhere" c={state === 'failed' ? 'red' : 'inherit'}>
          {state === 'failed' ? message : provides.map(providedWords).join(', ')}
        </Text>
      ),
    },
  ];
}
