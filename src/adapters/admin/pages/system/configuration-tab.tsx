import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAnswer } from '../calls/use-call.ts';
import { cell } from '../parts/cells.tsx';
import type { Column } from '../parts/data-table.tsx';
import { List } from '../parts/list.tsx';
import { LogLevelField } from './log-level.tsx';

type Entry = OfferedOutput<'system/show-config'>['config'][number];

const route = getRouteApi('/system');

/** Lists every key with its value and origin. */
export function ConfigurationTab() {
  const { find = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const answer = useAnswer('system/show-config', {});
  return (
    <>
      {answer.data !== undefined && <LogLevelField {...answer.data} />}
      <Text size="sm" c="dimmed" mb="xs">
        <Trans>
          Set in the configuration file, by variables named <Code>SERVICE_…</Code>, or on the command line; the service
          reads them when it starts. Secrets are masked.
        </Trans>
      </Text>
      <List
        of={answer}
        find={{
          label: t`Search keys`,
          text: find,
          onText: (text) =>
            void navigate({
              search: (now) => ({ ...now, find: text === '' ? undefined : text }),
              replace: true,
              resetScroll: false,
            }),
          in: ({ key, description }) => [key, description],
          none: t`No key matches.`,
        }}
        caption={t`Configuration`}
        minWidth={680}
        columns={COLUMNS}
        rows={({ config }) => config}
        rowKey={({ key }) => key}
        empty={t`No key matches.`}
      />
    </>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  cell.text('key', t`Key`, ({ key }) => <b>{key}</b>, {
    sortBy: ({ key }) => key,
    note: ({ description }) => description,
  }),
  cell.text('value', t`Value`, ({ value }) => (
    <Text inherit ff="monospace">
      {shown(value)}
    </Text>
  )),
  cell.text(
    'origin',
    t`From`,
    ({ origin }) => (origin === 'default' ? <span className="dimmed">{t`default`}</span> : origin),
    { sortBy: ({ origin }) => origin },
  ),
];

function shown(value: unknown): string {
  if (value === '') return t`(empty)`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
