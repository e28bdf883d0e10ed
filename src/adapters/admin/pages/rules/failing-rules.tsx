import { Text } from '@mantine/core';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { PagesOf } from '../parts/pages-of.tsx';
import type { RuleFailure } from './rule-failures.ts';

/** The rules that fail, and how. */
export function FailingRules({ failures }: { readonly failures: readonly RuleFailure[] }) {
  return (
    <PagesOf rows={failures} label="failing rules">
      {(rows) => (
        <DataTable
          caption="Rules that fail"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ type, id }) => `${type} ${id}`}
          empty="No rule fails."
        />
      )}
    </PagesOf>
  );
}

const COLUMNS: readonly Column<RuleFailure>[] = [
  {
    id: 'name',
    header: 'Rule',
    sortBy: ({ name }) => name,
    cell: ({ type, id, name }) => (
      <>
        <TextLink to="/rules/$type/$id" params={{ type, id }} size="sm" className="wrap-anywhere">
          {name}
        </TextLink>
        <Text size="xs" c="dimmed" ff="monospace">
          {type}
        </Text>
      </>
    ),
  },
  {
    id: 'errors',
    header: 'Errors',
    alignRight: true,
    sortBy: ({ errors }) => errors,
    cell: ({ errors }) => errors.toLocaleString('en'),
  },
  {
    id: 'error',
    header: 'Last error',
    cell: ({ last_error }) => (
      <Text size="sm" className="wrap-anywhere">
        {last_error}
      </Text>
    ),
  },
  {
    id: 'host',
    header: 'Last on',
    cell: ({ last_hostname }) =>
      last_hostname === '' ? (
        <Text size="sm" c="dimmed">
          does not compile
        </Text>
      ) : (
        <TextLink to="/hosts/$hostname" params={{ hostname: last_hostname }} size="sm" className="wrap-anywhere">
          {last_hostname}
        </TextLink>
      ),
  },
];
