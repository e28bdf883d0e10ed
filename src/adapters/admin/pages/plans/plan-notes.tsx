import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Stack, Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { AccountLink } from '../parts/account-link.tsx';
import { TextLink } from '../parts/links.tsx';
import { Command } from '../parts/value.tsx';
import { type Plan, waitsForApproval } from './plan-state.tsx';

/** Shows notes to read before the changes of a plan, and how to proceed. */
export function PlanNotes({ plan }: { readonly plan: Plan }) {
  const { id, account, status, message } = plan;
  if (waitsForApproval(plan)) {
    return (
      <Alert color="orange" title={t`Waits for approval`}>
        <Stack gap={4}>
          <Approval plan={plan} />
          {message !== '' && <Text size="sm">{message}</Text>}
        </Stack>
      </Alert>
    );
  }
  switch (status) {
    case 'refused':
      return (
        <Alert color="red" title={t`This plan may not be applied`}>
          <Text size="sm" className="wrap-anywhere">
            {sentence(message)}{' '}
            <TextLink inherit c="inherit" td="underline" to="/accounts/$name/edit" params={{ name: account }}>
              <Trans>Options of {account}</Trans>
            </TextLink>
          </Text>
        </Alert>
      );
    case 'failed':
      return (
        <Alert color="red" title={t`The plan could not be made`}>
          <Text size="sm" className="wrap-anywhere">
            {sentence(message)}{' '}
            <Trans>
              Make another one on the page of <AccountLink name={account} c="inherit" td="underline" />.
            </Trans>
          </Text>
        </Alert>
      );
    case 'interrupted':
      return (
        <Alert color="orange" title={t`Applying was interrupted`}>
          <Text size="sm" className="wrap-anywhere">
            {sentence(message)}{' '}
            <Trans>
              Changes made so far are kept. To continue, use "Apply the rest" or{' '}
              <Command>{`muster apply ${id}`}</Command>.
            </Trans>
          </Text>
        </Alert>
      );
    case 'partial':
      return (
        <Alert color="yellow" title={t`Not all of it was done`}>
          <Text size="sm" className="wrap-anywhere">
            {sentence(message)} <Trans>Another plan has what is still to do.</Trans>
          </Text>
        </Alert>
      );
    case 'discarded':
      return (
        <Alert color="gray" title={t`This plan was discarded`}>
          <Text size="sm" className="wrap-anywhere">
            {sentence(message)}{' '}
            <Trans>
              Nothing of it is applied any more; what had been applied before stays. Another plan has what is still to
              do.
            </Trans>
          </Text>
        </Alert>
      );
    default:
      if (message === '') return null;
      return (
        <Alert color="yellow" title={t`Not everything is certain`}>
          <Text size="sm" className="wrap-anywhere">
            {sentence(message)}
          </Text>
        </Alert>
      );
  }
}

function Approval({ plan: { id, made_by } }: { readonly plan: Plan }) {
  const session = useSession();
  if (session.user === made_by) {
    return (
      <Text size="sm">
        <Trans>
          You made this plan, so another administrator has to approve it: on this page, or with{' '}
          <Command>{`muster plan approve ${id}`}</Command>. Then it can be applied.
        </Trans>
      </Text>
    );
  }
  const what = may(session, 'plans/approve-plan')
    ? t`Read what it changes; if that is right, approve it, and it can be applied.`
    : t`It can be applied when an administrator has approved it.`;
  return (
    <Text size="sm">
      <Trans>{made_by} made this plan, and it has more changes than the account allows without a second person.</Trans>{' '}
      {what}
    </Text>
  );
}

/** The text as a sentence of its own. */
function sentence(text: string): string {
  const begun = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) || begun === '' ? begun : `${begun}.`;
}
