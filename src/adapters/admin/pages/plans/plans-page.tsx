import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Select, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { typeNamed } from '../accounts/option-fields.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { ButtonLink } from '../parts/links.tsx';
import { List } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import { Command } from '../parts/value.tsx';
import { isBusy } from './plan-state.tsx';
import { PLANS_TABLE } from './plans-table.tsx';

const route = getRouteApi('/plans');

const PAGE_SIZE = 50;
/** Accounts that an empty page leads to by name. */
const MOST_LINKED = 3;

/** Lists exports that would change or have changed systems with objects. */
export function PlansPage() {
  const { account, before } = route.useSearch();
  const navigate = route.useNavigate();
  const page = useAnswer(
    'plans/list-plans',
    { limit: PAGE_SIZE, ...(account === undefined ? {} : { account }), ...(before === undefined ? {} : { before }) },
    { everySeconds: (answer) => (answer?.plans.some(isBusy) ? 2 : 20) },
  );
  const session = useSession();
  const maySee = may(session, 'accounts/show-accounts') && may(session, 'accounts/list-account-types');
  const accounts = useAnswer('accounts/show-accounts', {}, { enabled: maySee });
  const types = useAnswer('accounts/list-account-types', {}, { enabled: maySee });
  const holding = (accounts.data?.accounts ?? []).filter(({ kind }) => kind === 'target' || kind === 'both');
  // Users who may not see accounts filter by those of the shown plans.
  const targets = maySee
    ? holding.map(({ name }) => name)
    : [...new Set(page.data?.plans.map((plan) => plan.account))].sort();
  const planned = holding
    .filter(({ type, enabled }) => enabled && typeNamed(types.data?.types ?? [], type)?.objects !== undefined)
    .map(({ name }) => name);
  return (
    <Page title={t`Plans`} description={t`Planned and applied changes of exports to their targets, object by object.`}>
      <List
        of={page}
        controls={
          <Select
            label={t`Account`}
            placeholder={t`All accounts`}
            searchable
            clearable
            w={280}
            maw="100%"
            nothingFoundMessage={t`No account of that name has a target`}
            data={account === undefined || targets.includes(account) ? targets : [account, ...targets]}
            value={account ?? null}
            onChange={(wanted) => void navigate({ search: wanted === null ? {} : { account: wanted }, replace: true })}
          />
        }
        {...PLANS_TABLE}
        rows={({ plans }) => plans}
        pages={({ next }) => ({ of: t`plans`, at: 'before', next })}
        empty={
          before === undefined ? (
            <NoPlans account={account} targets={planned} maySee={maySee} mayMake={may(session, 'plans/make-plan')} />
          ) : (
            t`There are no older plans.`
          )
        }
      />
    </Page>
  );
}

interface NoPlansProps {
  readonly account: string | undefined;
  /** Accounts that a plan can be made for. */
  readonly targets: readonly string[];
  /** Whether the reader may see accounts. */
  readonly maySee: boolean;
  readonly mayMake: boolean;
}

function NoPlans({ account, targets, maySee, mayMake }: NoPlansProps) {
  if (account !== undefined) return t`There is no plan of ${account}.`;
  if (!maySee || !mayMake) return t`There are no plans. An administrator who may write makes them.`;
  return (
    <Stack align="center" gap="xs">
      <Text inherit>
        <Trans>
          There are no plans. The page of an account whose target holds objects makes one, and so does{' '}
          <Command>muster plan &lt;account&gt;</Command>.
        </Trans>
      </Text>
      <Group gap="xs" justify="center">
        {targets.slice(0, MOST_LINKED).map((name) => (
          <ButtonLink key={name} size="xs" variant="default" to="/accounts/$name" params={{ name }}>
            <Trans>Make a plan for {name}</Trans>
          </ButtonLink>
        ))}
        {targets.length !== 1 && (
          <ButtonLink size="xs" variant="default" to="/accounts">
            <Trans>Accounts</Trans>
          </ButtonLink>
        )}
      </Group>
    </Stack>
  );
}
