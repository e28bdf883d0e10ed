import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { LogLevelField } from './log-level.tsx';

type Entry = OfferedOutput<'system/show-config'>['config'][number];

const route = getRouteApi('/system');

/** Every key with its value and where that comes from. */
export function ConfigurationTab() {
  const { find = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const answer = useAnswer('system/show-config', {});
  const wanted = find.toLowerCase();
  return (
    <>
      {answer.data !== undefined && <LogLevelField {...answer.data} />}
      <Text size="sm" c="dimmed" mb="xs">
        <Trans>
          Set in the configuration file, by variables named <Code>SERVICE_…</Code>, or on the command line; the service
          reads them when it starts. Secrets are masked.
        </Trans>
      </Text>
      <SearchField
        label={t`Search keys`}
        w={320}
        maw="100%"
        value={find}
        onSearch={(text) =>
          void navigate({
            search: (now) => ({ ...now, find: text === '' ? undefined : text }),
            replace: true,
            resetScroll: false,
          })
        }
      />
      <Answer of={answer}>
        {({ config }) => (
          <DataTable
            caption={t`Configuration`}
            minWidth={680}
            columns={COLUMNS}
            rows={config.filter(({ key, description }) => `${key} ${description}`.toLowerCase().includes(wanted))}
            rowKey={({ key }) => key}
            empty={t`No key matches.`}
          />
        )}
      </Answer>
    </>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  {
    id: 'key',
    header: t`Key`,
    sortBy: ({ key }) => key,
    cell: ({ key, description }) => (
      <>
        <Text size="sm" fw={600} className="wrap-anywhere">
          {key}
        </Text>
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      </>
    ),
  },
  {
    id: 'value',
    header: t`Value`,
    cell: ({ value }) => (
      <Text size="sm" ff="monospace" className="wrap-anywhere">
        {shown(value)}
      </Text>
    ),
  },
  {
    id: 'origin',
    header: t`From`,
    sortBy: ({ origin }) => origin,
    cell: ({ origin }) => (
      <Text size="sm" className="wrap-anywhere" c={origin === 'default' ? 'dimmed' : 'inherit'}>
        {origin === 'default' ? t`default` : origin}
      </Text>
    ),
  },
];

function shown(value: unknown): string {
  if (value === '') return t`(empty)`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
