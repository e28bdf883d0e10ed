import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { numberText } from '../language/numbers.ts';
import { cell } from './cells.tsx';
import { DataTable } from './data-table.tsx';
import { TextLink } from './links.tsx';

type Report = OfferedOutput<'search/report-hosts'>;
type Row = Report['rows'][number];

interface ReportTableProps {
  readonly report: Report;
  readonly where: string | undefined;
}

/** Numbers of hosts by one field or two, each on a bar of its length and with a link to its hosts. */
export function ReportTable({ report, where }: ReportTableProps) {
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
          : t`There are too many to look at all of them: these are the first ${numberText(size)} hosts by name.`}
        {is_cut && ` · ${t`Only the most frequent values are shown.`}`}
      </Text>
      {/* Many columns scroll sideways in their place. */}
      <div className="report-table">
        <DataTable
          caption={t`Hosts by ${rows_field}`}
          columns={shown}
          rows={rows}
          rowKey={({ value }) => value}
          empty={<Trans>The search finds no host.</Trans>}
        />
      </div>
    </Stack>
  );
}

interface CountLinkProps {
  readonly of: number;
  readonly most: number;
  readonly asked: readonly (string | undefined)[];
  readonly label: string;
}

/** A number with a bar of its length; zero has no link. */
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
