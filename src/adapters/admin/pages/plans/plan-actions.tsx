import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { IconCheck, IconPlayerPlay, IconTrashX } from '@tabler/icons-react';
import { may, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { confirm } from '../parts/confirm.ts';
import { canBeApplied, changesIn, isOpen, type Plan, waitsForApproval } from './plan-state.tsx';
import { countsText } from './plan-words.ts';

interface PlanActionsProps {
  readonly plan: Plan;
  readonly isApplying: boolean;
  readonly onApply: () => void;
}

/** Buttons to approve, apply and discard, for users who may. Users cannot approve their own plans. */
export function PlanActions({ plan, isApplying, onApply }: PlanActionsProps) {
  return (
    <Group gap="xs">
      <Discard plan={plan} isDisabled={isApplying} />
      {waitsForApproval(plan) ? (
        <Approve plan={plan} />
      ) : (
        <Apply plan={plan} isApplying={isApplying} onApply={onApply} />
      )}
    </Group>
  );
}

function Approve({ plan }: { readonly plan: Plan }) {
  const session = useSession();
  const approve = useAction('plans/approve-plan', { done: t`The plan is approved.`, changes: ['plans'] });
  const { account, counts, made_by } = plan;
  const what = countsText(counts);
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

function Apply({ plan, isApplying, onApply }: PlanActionsProps) {
  const session = useSession();
  const { account, counts, status } = plan;
  const what = countsText(counts);
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

function Discard({ plan, isDisabled }: { readonly plan: Plan; readonly isDisabled: boolean }) {
  const session = useSession();
  const discard = useAction('plans/discard-plan', { done: t`The plan is discarded.`, changes: ['plans'] });
  const { account, status } = plan;
  if (!isOpen(plan) || !may(session, 'plans/discard-plan')) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconTrashX size={16} aria-hidden />}
      disabled={isDisabled}
      loading={discard.isPending}
      onClick={() =>
        confirm({
          title: t`Discard the plan for ${account}?`,
          text:
            status === 'interrupted'
              ? t`The rest of it is not applied any more; what was applied stays. The plan stays to be read, and another one can be made at any time.`
              : t`It is not applied, and nothing changes in the system. The plan stays to be read, and another one can be made at any time.`,
          yes: t`Discard`,
          onYes: () => discard.mutate({ plan: plan.id }),
        })
      }
    >
      <Trans>Discard</Trans>
    </Button>
  );
}
