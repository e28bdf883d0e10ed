import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, NativeSelect, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';
import { Answer } from '../parts/answer.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';
import { CHANGED_BY_RULES, useRuleTypes } from './rule-type.ts';

const route = getRouteApi('/rules/deleted');

type Removed = OfferedOutput<'rules/list-removed'>['removed'][number];

const MOST = 1000;

/** Rules and other documents that were deleted, and the way back. */
export function DeletedPage() {
  const session = useSession();
  const { type } = route.useSearch();
  const navigate = route.useNavigate();
  const types = useRuleTypes();
  const deleted = useAnswer('rules/list-removed', { ...(type !== undefined && { rule_type: type }), limit: MOST });
  const mayRestore = may(session, 'rules/revert-rule');
  const known = types.data?.types ?? [];
  const refused = useMemo(() => new Set(known.filter(({ refusal }) => refusal !== null).map(({ id }) => id)), [known]);
  const columns = useMemo(() => (mayRestore ? [...COLUMNS, restoreColumn(refused)] : COLUMNS), [mayRestore, refused]);
  return (
    <Page
      title={t`Deleted`}
      above={[{ to: '/rules', label: t`Rules` }]}
      description={t`Rules and other documents that were deleted. They can be restored while their history is kept.`}
    >
      <NativeSelect
        label={t`Type`}
        maw={320}
        data={[
          { value: '', label: t`All types` },
          ...known
            .filter(({ export_group }) => export_group !== 'hosts')
            .map(({ id, title }) => ({ value: id, label: title })),
        ]}
        value={type ?? ''}
        onChange={(event) => void navigate({ search: { type: event.currentTarget.value || undefined }, replace: true })}
      />
      <Answer of={deleted}>
        {({ removed, more }) => (
          <>
            <DataTable
              caption={t`Deleted rules and documents`}
              minWidth={640}
              columns={columns}
              rows={removed}
              rowKey={({ rule_type, id }) => `${rule_type} ${id}`}
              empty={t`Nothing was deleted, or its history is gone.`}
            />
            {more && (
              <Text size="sm" c="dimmed">
                {t`These are the last ${{ count: numberText(removed.length) }}. Choose a type to see older ones.`}
              </Text>
            )}
          </>
        )}
      </Answer>
    </Page>
  );
}

const COLUMNS: readonly Column<Removed>[] = [
  {
    id: 'name',
    header: t`Name`,
    sortBy: ({ name }) => name,
    cell: ({ rule_type, id, name }) => (
      <TextLink to="/rules/$type/$id" params={{ type: rule_type, id }} size="sm" className="wrap-anywhere">
        {name || id}
      </TextLink>
    ),
  },
  { id: 'type', header: t`Type`, sortBy: ({ title }) => title, cell: ({ title }) => title },
  {
    id: 'when',
    header: t`Deleted`,
    sortBy: ({ removed_at }) => removed_at,
    cell: ({ removed_at }) => <When at={removed_at} />,
  },
  {
    id: 'by',
    header: t`By`,
    sortBy: ({ removed_by }) => removed_by,
    cell: ({ removed_by }) => <span className="wrap-anywhere">{removed_by}</span>,
  },
];

function restoreColumn(refused: ReadonlySet<string>): Column<Removed> {
  return {
    id: 'restore',
    header: t`Restore`,
    isHeaderHidden: true,
    alignRight: true,
    cell: (row) => (refused.has(row.rule_type) ? null : <Restore row={row} />),
  };
}

function Restore({ row: { rule_type, id, name, version } }: { readonly row: Removed }) {
  const rule = name || id;
  const restore = useAction('rules/revert-rule', { done: t`${rule} is back.`, changes: CHANGED_BY_RULES });
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={t`Restore ${rule}`}
      loading={restore.isPending}
      onClick={() => restore.mutate({ rule_type, rule: id, version })}
    >
      <Trans>Restore</Trans>
    </Button>
  );
}
