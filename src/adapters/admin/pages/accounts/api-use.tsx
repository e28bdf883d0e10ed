import { Trans } from '@lingui/react/macro';
import { Code, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { addressBelow } from '../calls/below.ts';
import { may, useSession } from '../calls/session.ts';
import { ButtonLink } from '../parts/links.tsx';

interface ApiUseProps {
  readonly account: string;
  readonly enabled: boolean;
}

/** Explains how an account without a source gets hosts: there is no button, so the text names the call. */
export function ApiUse({ account, enabled }: ApiUseProps) {
  const session = useSession();
  const body = JSON.stringify({ account, labels: { site: 'berlin' } });
  const word = `'${body.replaceAll("'", `'\\''`)}'`;
  return (
    <>
      {enabled && may(session, 'hosts/save-host') && (
        <div>
          <ButtonLink to="/hosts/new" search={{ account }} variant="default" leftSection={<IconPlus size={16} />}>
            <Trans>New host</Trans>
          </ButtonLink>
        </div>
      )}
      {!enabled && (
        <Text size="sm" c="dimmed">
          <Trans>The account is disabled; enable it to write hosts.</Trans>
        </Text>
      )}
      <Text size="sm">
        <Trans>
          Hosts are written under this account by hand, by the tool server, and by REST; the user needs the role
          objects:
        </Trans>
      </Text>
      <Code block className="wrap-anywhere">
        {`curl -u USER -H 'Content-Type: application/json' \\\n  -d ${word} \\\n  ${addressBelow('/api/v1/objects/HOSTNAME')}`}
      </Code>
    </>
  );
}
