import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { addressBelow } from '../calls/below.ts';
import { may, useSession } from '../calls/session.ts';
import { CopyLine } from './copy-line.tsx';
import { TextLink } from './links.tsx';
import { Command } from './value.tsx';

interface HttpUseProps {
  readonly provider: string;
  /** Time to compare the inventory with; absent for the inventory itself. */
  readonly since?: string | undefined;
}

/** Shows how a program gets the content of the page by HTTP: the whole address, and a call to paste. */
export function HttpUse({ provider, since }: HttpUseProps) {
  const address = addressOf(provider, since);
  const session = useSession();
  const mayMakeToken = may(session, 'users/create-own-token') && !session.read_only;
  return (
    <Stack gap={4} maw={900}>
      <Text size="sm">
        <Trans>
          Over HTTP: <Command>{address}</Command>
        </Trans>{' '}
        {mayMakeToken ? (
          <Trans>
            with a token, which you make in{' '}
            <TextLink inherit to="/profile">
              your profile
            </TextLink>
            :
          </Trans>
        ) : (
          <Trans>with a token of a user with the role automation, which an administrator creates:</Trans>
        )}
      </Text>
      <CopyLine label={t`curl line`} value={`curl -H "Authorization: Bearer $TOKEN" "${address}"`} />
    </Stack>
  );
}

function addressOf(provider: string, since: string | undefined): string {
  const address = addressBelow(`/api/v1/inventory/automation/${encodeURIComponent(provider)}`);
  return since === undefined ? address : `${address}/changes?since=${encodeURIComponent(since)}`;
}
