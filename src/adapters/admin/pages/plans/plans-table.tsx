import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { AccountLink } from '../accounts/account-link.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { When } from '../parts/when.tsx';
import { type Plan, PlanState } from './plan-state.tsx';
import { countsText } from './plan-words.ts';

interface PlansTableProps {
  readonly plans: readonly Plan[];
  readonly empty: ReactNode;
  /** True where all of them are of one account. */
  readonly hidesAccount?: boolean;
}

/** Plans, newest first: what they change, and who made, approved and applied them. */
export function PlansTable({ plans, empty, hidesAccount = false }: PlansTableProps) {
  return (
    <DataTable
      caption={t`Plans`}
      minWidth={hidesAccount ? 680 : 820}
      columns={hidesAccount ? OF_AN_ACCOUNT : COLUMNS}
      rows={plans}
      rowKey={({ id }) => id}
      empty={empty}
    />
  );
}

const COLUMNS: readonly Column<Plan>[] = [
  {
    id: 'made',
    header: t`Made`,
    cell: ({ id, account, made_at, made_by }) => (
      <Text size="sm" component="div" className="wrap-anywhere">
        <Trans>
          <TextLink inherit to="/plans/$plan" params={{ plan: id }} aria-label={t`Plan ${id} for ${account}`}>
            <When at={made_at} />
          </TextLink>{' '}
          by {made_by}
        </Trans>
      </Text>
    ),
  },
  {
    id: 'account',
    header: t`Account`,
    cell: ({ account }) => (
      <Text size="sm">
        <AccountLink name={account} className="wrap-anywhere" />
      </Text>
    ),
  },
  { id: 'status', header: t`Status`, cell: (plan) => <PlanState plan={plan} /> },
  {
    id: 'changes',
    header: t`Changes`,
    cell: ({ counts, message }) => (
      <>
        <Text size="sm">{countsText(counts)}</Text>
        {message !== '' && (
          <Text size="xs" c="dimmed" lineClamp={2} title={message} className="wrap-anywhere">
            {message}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'approved',
    header: t`Approved`,
    cell: ({ approved_by, approved_at }) => <Deed by={approved_by} at={approved_at} />,
  },
  { id: 'applied', header: t`Applied`, cell: ({ applied_by, applied_at }) => <Deed by={applied_by} at={applied_at} /> },
];

const OF_AN_ACCOUNT = COLUMNS.filter(({ id }) => id !== 'account');

/** When somebody did it, and who; nothing where nobody did. */
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
