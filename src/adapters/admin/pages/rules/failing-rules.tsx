import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { cell } from '../parts/cells.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { PagesOf } from '../parts/pager.tsx';
import type { RuleFailure } from './rule-failures.ts';

/** The rules that fail, and how. */
export function FailingRules({ failures }: { readonly failures: readonly RuleFailure[] }) {
  return (
    <PagesOf rows={failures} label={t`failing rules`}>
      {(rows) => (
        <DataTable
          caption={t`Rules that fail`}
          columns={COLUMNS}
          rows={rows}
          rowKey={({ type, id }) => `${type} ${id}`}
          empty={t`No rule fails.`}
        />
      )}
    </PagesOf>
  );
}

const COLUMNS: readonly Column<RuleFailure>[] = [
  cell.link(
    'name',
    t`Rule`,
    ({ type, id, name }) => (
      <TextLink to="/rules/$type/$id" params={{ type, id }}>
        {name}
      </TextLink>
    ),
    {
      sortBy: ({ name }) => name,
      note: ({ type }) => (
        <Text inherit ff="monospace">
          {type}
        </Text>
      ),
    },
  ),
  cell.number('errors', t`Errors`, ({ errors }) => errors, { sortBy: ({ errors }) => errors }),
  cell.text('error', t`Last error`, ({ last_error }) => last_error),
  cell.link('host', t`Last on`, ({ last_hostname: hostname }) =>
    hostname === '' ? (
      <span className="dimmed">{t`does not compile`}</span>
    ) : (
      <TextLink to="/hosts/$hostname" params={{ hostname }}>
        {hostname}
      </TextLink>
    ),
  ),
];
