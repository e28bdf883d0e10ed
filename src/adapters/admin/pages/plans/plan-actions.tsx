import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconCheck, IconPlayerPlay } from '@tabler/icons-react';
import { may, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { confirm } from '../parts/confirm.ts';
import { canBeApplied, changesIn, type Plan, waitsForApproval } from './plan-state.tsx';
import { countsText } from './plan-words.ts';

interface PlanActionsProps {
  readonly plan: Plan;
  readonly isApplying: boolean;
  readonly onApply: () => void;
}

/** Approving and applying, for who may. Nobody approves a plan of their own. */
export function PlanActions({ plan, isApplying, onApply }: PlanActionsProps) {
  const session = useSession();
  const approve = useAction('plans/approve-plan', { done: t`The plan is approved.`, changes: ['plans'] });
  const { account, counts, made_by, status } = plan;
  const what = countsText(counts);
  if (waitsForApproval(plan)) {
    if (!may(session, 'plans/approve-plan') || session.user === made_by) return null;
    return (
      <Button
        leftSection={<IconCheck size={16} aria-hidden />}
        loading={approve.isPending}
        onClick={() =>
          confirm({
            title: t`Approve the plan for ${account}?`,
            text: t`${what}. It can then be applied, by you or by the user who made it. Approving changes nothing yet.`,
            yes: t`Approve`,
            onYes: () => approve.mutate({ plan: plan.id }),
          })
        }
      >
        <Trans>Approve</Trans>
      </Button>
    );
  }
  if (!canBeApplied(plan) || !may(session, 'plans/apply-plan')) return null;
  const changes = changesIn(plan);
  const verb = status === 'interrupted' ? t`Apply the rest` : t`Apply`;
  return (
    <Button
      leftSection={<IconPlayerPlay size={16} aria-hidden />}
      loading={isApplying}
      onClick={() =>
        confirm({
          title: plural(changes, { one: `Apply # change in ${account}?`, other: `Apply # changes in ${account}?` }),
          text: t`${what}. What has been changed there since the plan was made is left alone and named. Muster cannot undo what it applied.`,
          yes: verb,
          onYes: onApply,
        })
      }
    >
      {verb}
    </Button>
  );
}
