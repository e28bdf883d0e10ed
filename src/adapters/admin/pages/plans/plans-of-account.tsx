import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Account } from '../accounts/option-fields.ts';
import { RunProgress } from '../accounts/run-outcome.tsx';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { useRun } from '../calls/use-run.ts';
import { TextLink } from '../parts/links.tsx';
import { List } from '../parts/list.tsx';
import { Problem } from '../parts/problem.tsx';
import { isBusy } from './plan-state.tsx';
import { PLANS_OF_ACCOUNT } from './plans-table.tsx';

const SHOWN = 5;

/** Shows the latest plans of an account, and a way to make another. */
export function PlansOfAccount({ account: { name, enabled } }: { readonly account: Account }) {
  const session = useSession();
  const navigate = useNavigate();
  const plans = useAnswer(
    'plans/list-plans',
    { account: name, limit: SHOWN },
    { everySeconds: (answer) => (answer?.plans.some(isBusy) ? 2 : 60) },
  );
  const make = useRun('plans/make-plan', ['plans']);
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        <Trans>
          A plan lists every change that an export would make, and is kept: others can read and approve it, and exactly
          its changes are applied later. Making one writes nothing.
        </Trans>
      </Text>
      {may(session, 'plans/make-plan') && (
        <Group>
          <Button
            variant="default"
            disabled={make.isPending || !enabled}
            onClick={() =>
              make.mutate(
                { account: name },
                { onSuccess: ({ id }) => void navigate({ to: '/plans/$plan', params: { plan: id } }) },
              )
            }
          >
            <Trans context="verb">Plan</Trans>
          </Button>
          {!enabled && (
            <Text size="sm" c="dimmed">
              <Trans>The account is disabled; enable it to plan.</Trans>
            </Text>
          )}
        </Group>
      )}
      {make.isPending && <RunProgress label={t`Planning`} progress={make.progress} />}
      {make.isError && <Problem error={make.error} />}
      <List of={plans} {...PLANS_OF_ACCOUNT} rows={({ plans: latest }) => latest} empty={t`There is no plan yet.`} />
      {plans.data !== undefined && plans.data.next !== null && (
        <TextLink size="sm" to="/plans" search={{ account: name }}>
          <Trans>All plans of {name}</Trans>
        </TextLink>
      )}
    </Stack>
  );
}
