import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, NativeSelect, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';
import { cell } from '../parts/cells.tsx';
import type { Column } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { List } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
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
      <List
        of={deleted}
        controls={
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
            onChange={(event) =>
              void navigate({ search: { type: event.currentTarget.value || undefined }, replace: true })
            }
          />
        }
        caption={t`Deleted rules and documents`}
        minWidth={640}
        columns={columns}
        rows={({ removed }) => removed}
        rowKey={({ rule_type, id }) => `${rule_type} ${id}`}
        empty={t`Nothing was deleted, or its history is gone.`}
      />
      {deleted.data?.more === true && (
        <Text size="sm" c="dimmed">
          {t`These are the last ${{ count: numberText(deleted.data.removed.length) }}. Choose a type to see older ones.`}
        </Text>
      )}
    </Page>
  );
}

const COLUMNS: readonly Column<Removed>[] = [
  cell.link(
    'name',
    t`Name`,
    ({ rule_type, id, name }) => (
      <TextLink to="/rules/$type/$id" params={{ type: rule_type, id }}>
        {name || id}
      </TextLink>
    ),
    { sortBy: ({ name }) => name },
  ),
  cell.text('type', t`Type`, ({ title }) => title, { sortBy: ({ title }) => title }),
  cell.when('when', t`Deleted`, ({ removed_at }) => removed_at, { sortBy: ({ removed_at }) => removed_at }),
  cell.text('by', t`By`, ({ removed_by }) => removed_by, { sortBy: ({ removed_by }) => removed_by }),
];

function restoreColumn(refused: ReadonlySet<string>): Column<Removed> {
  return cell.act('restore', t`Restore`, (row) => (refused.has(row.rule_type) ? null : <Restore row={row} />));
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
