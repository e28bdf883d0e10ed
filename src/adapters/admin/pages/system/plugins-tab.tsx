import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { cell } from '../parts/cells.tsx';
import type { Column } from '../parts/data-table.tsx';
import { List } from '../parts/list.tsx';
import { providedWords } from './provided-words.ts';

type Plugin = OfferedOutput<'system/list-plugins'>['plugins'][number];

/** Lists all plugins with their contributions; broken ones first, with the reason. */
export function PluginsTab() {
  const { version } = useSession();
  const answer = useAnswer('system/list-plugins', {});
  const columns = useMemo(() => columnsOf(version), [version]);
  return (
    <List
      of={answer}
      caption={t`Plugins`}
      minWidth={820}
      columns={columns}
      rows={({ plugins }) => [...plugins].sort((a, b) => Number(a.state === 'running') - Number(b.state === 'running'))}
      rowKey={({ id, origin, message }) => `${id} ${origin} ${message}`}
      empty={t`There are no plugins.`}
    />
  );
}

function columnsOf(ownVersion: string): readonly Column<Plugin>[] {
  return [
    cell.text('id', t`Plugin`, ({ id }) => <b>{id}</b>, { note: ({ description }) => description }),
    cell.badge('state', t`State`, ({ state }) =>
      state === 'running' ? { tone: 'good', text: t`running` } : { tone: 'bad', text: t`failed` },
    ),
    cell.text(
      'version',
      t`Version`,
      ({ version, origin }) => version || (origin === 'built in' ? ownVersion : t`unknown`),
    ),
    cell.text('origin', t`From`, ({ origin }) => (origin === 'built in' ? t`built in` : origin)),
    cell.text('provides', t`Provides`, ({ state, provides, message }) =>
      state === 'failed' ? (
        <Text inherit c="red">
          {message}
        </Text>
      ) : (
        provides.map(providedWords).join(', ')
      ),
    ),
  ];
}
