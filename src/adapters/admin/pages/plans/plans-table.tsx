import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { AccountLink } from '../parts/account-link.tsx';
import { cell } from '../parts/cells.tsx';
import type { DataTableProps } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { When } from '../parts/when.tsx';
import { type Plan, PlanState } from './plan-state.tsx';
import { countsText } from './plan-words.ts';

/** Plans, newest first: their changes, and the users that made, approved and applied them. */
export const PLANS_TABLE: Pick<DataTableProps<Plan>, 'caption' | 'minWidth' | 'columns' | 'rowKey'> = {
  caption: t`Plans`,
  minWidth: 820,
  rowKey: ({ id }) => id,
  columns: [
    cell.link('made', t`Made`, ({ id, account, made_at, made_by }) => (
      <Trans>
        <TextLink to="/plans/$plan" params={{ plan: id }} aria-label={t`Plan ${id} for ${account}`}>
          <When at={made_at} />
        </TextLink>{' '}
        by {made_by}
      </Trans>
    )),
    cell.link('account', t`Account`, ({ account }) => <AccountLink name={account} />),
    { id: 'status', header: t`Status`, cell: (plan) => <PlanState plan={plan} /> },
    cell.text('changes', t`Changes`, ({ counts }) => countsText(counts), {
      note: ({ message }) =>
        message && (
          <Text inherit lineClamp={2} title={message}>
            {message}
          </Text>
        ),
    }),
    cell.text('approved', t`Approved`, ({ approved_by, approved_at }) => <Deed by={approved_by} at={approved_at} />),
    cell.text('applied', t`Applied`, ({ applied_by, applied_at }) => <Deed by={applied_by} at={applied_at} />),
  ],
};

/** The same if all of them are of one account. */
export const PLANS_OF_ACCOUNT = {
  ...PLANS_TABLE,
  minWidth: 680,
  columns: PLANS_TABLE.columns.filter(({ id }) => id !== 'account'),
};

/** Shows the time and the user of an action; nothing if it has not happened. */
export function Deed({ by, at }: { readonly by: string | null; readonly at: string | null }) {
  if (by === null) return null;
  return (
    <Text span size="sm" className="wrap-anywhere">
      <Trans>
        <When at={at} /> by {by}
      </Trans>
    </Text>
  );
}
