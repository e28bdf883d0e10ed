import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { numberText } from '../language/numbers.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { PagesOf } from '../parts/pages-of.tsx';
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
  {
    id: 'name',
    header: t`Rule`,
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
    header: t`Errors`,
    alignRight: true,
    sortBy: ({ errors }) => errors,
    cell: ({ errors }) => numberText(errors),
  },
  {
    id: 'error',
    header: t`Last error`,
    cell: ({ last_error }) => (
      <Text size="sm" className="wrap-anywhere">
        {last_error}
      </Text>
    ),
  },
  {
    id: 'host',
    header: t`Last on`,
    cell: ({ last_hostname }) =>
      last_hostname === '' ? (
        <Text size="sm" c="dimmed">
          <Trans>does not compile</Trans>
        </Text>
      ) : (
        <TextLink to="/hosts/$hostname" params={{ hostname: last_hostname }} size="sm" className="wrap-anywhere">
          {last_hostname}
        </TextLink>
      ),
  },
];
