import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useAction } from '../calls/use-call.ts';
import { confirm } from '../parts/confirm.ts';
import { secondFactorText } from './reach-words.ts';
import type { User } from './rights.ts';

const NONE = t`None: the password is all that this user shows.`;

interface UserSecondFactorProps {
  readonly user: User;
  readonly mayChange: boolean;
}

/** Shows another user's second factor, with a reset for users who have lost it. */
export function UserSecondFactor({ user: { name, second_factor: factor }, mayChange }: UserSecondFactorProps) {
  const reset = useAction('users/reset-second-factor', {
    done: t`User ${name} logs in without a second factor.`,
    changes: ['users'],
  });
  const ways = secondFactorText(factor) ?? NONE;
  const hasAny = factor.authenticator || factor.passkeys > 0 || factor.recovery_codes > 0;
  const ask = () =>
    confirm({
      title: t`Reset the second factor of ${name}?`,
      text: t`Authenticator app, passkeys and recovery codes of ${name} stop working at once, and the sessions end. After that the password alone is enough to log in; if a second factor is required, a new one is set up.`,
      yes: t`Reset`,
      onYes: () => reset.mutate({ name }),
    });
  return (
    <>
      <Text size="sm">{ways}</Text>
      {mayChange && hasAny && (
        <div>
          <Button variant="default" loading={reset.isPending} onClick={ask}>
            <Trans>Reset second factor</Trans>
          </Button>
        </div>
      )}
    </>
  );
}
