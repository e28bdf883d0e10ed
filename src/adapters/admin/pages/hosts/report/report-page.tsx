import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Autocomplete, Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { OfferedOutput } from '../../../offered-operations.ts';
import { useAnswer } from '../../calls/use-call.ts';
import { numberText } from '../../language/numbers.ts';
import { Answer } from '../../parts/answer.tsx';
import { cell } from '../../parts/cells.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Page } from '../../parts/page.tsx';
import { SearchField } from '../../parts/search-field.tsx';

type Report = OfferedOutput<'search/report-hosts'>;
type Row = Report['rows'][number];

const route = getRouteApi('/hosts/report');
const OWN = ['account', 'type', 'state', 'template', 'folder'];

/** Hosts counted by one field or by two against each other; each number leads to the hosts that it counts. */
export function ReportPage() {
  const { where, rows = 'account', columns } = route.useSearch();
  const navigate = route.useNavigate();
  const labels = useAnswer('search/count-hosts', { labels: 1, values: 1 }, { freshSeconds: 60 });
  const names = [...OWN, ...(labels.data?.label_names ?? []).map(({ field }) => field)];
  const report = useAnswer('search/report-hosts', {
    rows,
    ...(columns === undefined ? {} : { columns }),
    ...(where === undefined ? {} : { where }),
  });
  const choose = (changed: Partial<ReturnType<typeof route.useSearch>>): void =>
    void navigate({ search: (now) => ({ ...now, ...changed }), replace: true });
  return (
    <Page
      title={t`Report`}
      above={[{ to: '/hosts', label: t`Hosts` }]}
      description={t`Hosts counted by one field, or by two against each other. Each number leads to its hosts.`}
    >
      <Stack gap="sm">
        <Group align="end">
          <Field
            label={t`Rows`}
            value={rows}
            names={names}
            onChange={(field) => choose({ rows: field || undefined })}
          />
          <Field
            label={t`Columns`}
            value={columns ?? ''}
            names={names}
            onChange={(field) => choose({ columns: field || undefined })}
          />
          <SearchField
            label={t`Only hosts that a search finds`}
            value={where ?? ''}
            onSearch={(text) => choose({ where: text === '' ? undefined : text })}
          />
        </Group>
        <Answer of={report}>{(answer) => <Numbers report={answer} where={where} />}</Answer>
      </Stack>
    </Page>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly names: readonly string[];
  readonly onChange: (field: string) => void;
}

function Field({ label, value, names, onChange }: FieldProps) {
  return (
    <Autocomplete
      key={value}
      label={label}
      data={[...new Set(names)]}
      defaultValue={value}
      clearable
      onOptionSubmit={onChange}
      onClear={() => onChange('')}
      onBlur={({ currentTarget }) => currentTarget.value !== value && onChange(currentTarget.value.trim())}
      onKeyDown={(event) => event.key === 'Enter' && onChange(event.currentTarget.value.trim())}
    />
  );
}

function Numbers({ report, where }: { readonly report: Report; readonly where: string | undefined }) {
  const { rows_field, columns, rows, size, is_cut, is_exact } = report;
  const most = Math.max(1, ...rows.map(({ count }) => count));
  const mostOfCells = Math.max(1, ...rows.flatMap(({ cells }) => cells));
  const shown = [
    cell.link<Row>('value', rows_field, ({ value }) => value || t`(none)`, { sortBy: ({ value }) => value }),
    cell.text<Row>(
      'hosts',
      t`Hosts`,
      ({ value, count, condition }) => (
        <CountLink of={count} most={most} asked={[where, condition]} label={`${value} ${count}`} />
      ),
      { sortBy: ({ count }) => count, alignRight: true },
    ),
    ...columns.map((column, index) => {
      const countOf = ({ cells }: Row): number => cells[index] ?? 0;
      return cell.text<Row>(
        `column ${column.value}`,
        column.value || t`(none)`,
        (row) => (
          <CountLink
            of={countOf(row)}
            most={mostOfCells}
            asked={[where, row.condition, column.condition]}
            label={`${row.value} ${column.value} ${countOf(row)}`}
          />
        ),
        { sortBy: countOf, alignRight: true },
      );
    }),
  ];
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {is_exact
          ? plural(size, { one: '# host', other: '# hosts' })
          : t`There is too much to look at all of it: these are the first ${numberText(size)} hosts by name.`}
        {is_cut && ` ${t`Only the most frequent values are shown.`}`}
      </Text>
      <DataTable
        caption={t`Hosts by ${rows_field}`}
        columns={shown}
        rows={rows}
        rowKey={({ value }) => value}
        empty={<Trans>The search finds no host.</Trans>}
      />
    </Stack>
  );
}

interface CountLinkProps {
  readonly of: number;
  readonly most: number;
  readonly asked: readonly (string | undefined)[];
  readonly label: string;
}

/** A number with a bar of its length; nothing is no link. */
function CountLink({ of, most, asked, label }: CountLinkProps) {
  if (of === 0) return <Text span size="sm" c="dimmed">{`0`}</Text>;
  const parts = asked.filter((part) => part !== undefined && part !== '');
  const where = parts.map((part) => (/\sOR\s/.test(part ?? '') ? `(${part})` : part)).join(' ');
  return (
    <span className="report-number" style={{ backgroundSize: `${(100 * of) / most}% 100%` }}>
      <TextLink to="/hosts" search={{ where }} aria-label={label}>
        {numberText(of)}
      </TextLink>
    </span>
  );
}
