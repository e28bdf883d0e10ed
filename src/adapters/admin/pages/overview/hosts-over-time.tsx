import { t } from '@lingui/core/macro';
import { Group, NativeSelect, SegmentedControl, Stack, Switch } from '@mantine/core';
import { useMemo, useState } from 'react';
import { numberText } from '../language/numbers.ts';
import { cell } from '../parts/cells.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { type Days, ofAccount } from './days.ts';
import { DaysChart } from './days-chart.tsx';

type Day = Days['days'][number];

/** How many hosts there were on each day, of all accounts or of one, as lines or as a table. */
export function HostsOverTime({ answer }: { readonly answer: Days }) {
  const [account, setAccount] = useState('');
  const [form, setForm] = useState('chart');
  const [fromZero, setFromZero] = useState(true);
  const names = answer.accounts.flatMap(({ account: name }) => name ?? []);
  const days = useMemo(
    () => (account === '' ? answer.days : (ofAccount(answer, account) ?? answer.days)),
    [answer, account],
  );
  return (
    <Stack gap="xs">
      <Group gap="md" align="flex-end">
        {names.length > 1 && (
          <NativeSelect
            size="xs"
            label={t`Account`}
            data={[{ value: '', label: t`All accounts` }, ...names]}
            value={account}
            onChange={({ currentTarget }) => setAccount(currentTarget.value)}
          />
        )}
        <SegmentedControl
          size="xs"
          aria-label={t`Shown as`}
          data={[
            { value: 'chart', label: t`Chart` },
            { value: 'table', label: t`Table` },
          ]}
          value={form}
          onChange={setForm}
        />
        {form === 'chart' && (
          <Switch
            size="xs"
            pb={6}
            label={t`Axis from 0`}
            checked={fromZero}
            onChange={({ currentTarget }) => setFromZero(currentTarget.checked)}
          />
        )}
      </Group>
      {form === 'table' ? <DaysTable days={days} /> : <DaysChart days={days} fromZero={fromZero} />}
    </Stack>
  );
}

interface Row extends Day {
  /** Hosts and objects more than on the day before in the list. */
  readonly more: number | null;
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'day', header: t`Day`, cell: ({ day }) => day },
  cell.number('hosts', t`Hosts`, ({ hosts }) => hosts),
  cell.number('objects', t`Objects`, ({ objects }) => objects),
  cell.number('archived', t`Archived`, ({ archived }) => archived),
  {
    id: 'more',
    header: t`Change`,
    alignRight: true,
    cell: ({ more }) => (more === null ? '' : more > 0 ? `+${numberText(more)}` : numberText(more)),
  },
];

function DaysTable({ days }: { readonly days: readonly Day[] }) {
  const rows = useMemo(
    () =>
      days
        .map((day, place): Row => {
          const before = days[place - 1];
          const more = before === undefined ? null : day.hosts + day.objects - before.hosts - before.objects;
          return { ...day, more };
        })
        .toReversed(),
    [days],
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what has the focus
    <section className="days-table" tabIndex={0} aria-label={t`Hosts of each day`}>
      <DataTable
        caption={t`Hosts of each day`}
        columns={COLUMNS}
        rows={rows}
        rowKey={({ day }) => day}
        empty=""
        minWidth={320}
      />
    </section>
  );
}
