import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { may, useSession } from '../../calls/session.ts';
import { useAction } from '../../calls/use-call.ts';
import { dailyGroup } from '../../cron/group-values.ts';
import { TextLink } from '../../parts/links.tsx';
import { Problem } from '../../parts/problem.tsx';

/** A cron group that imports the account once a day. */
export function EveryDay({ account }: { readonly account: string }) {
  const settings = dailyGroup(account, 'Import');
  const { name } = settings;
  const save = useAction('cron/save-group', { changes: ['cron'], showsProblem: true });
  if (!may(useSession(), 'cron/save-group')) {
    return (
      <Text size="sm">
        <Trans>Someone with the role rules can make a cron group that imports it by itself.</Trans>
      </Text>
    );
  }
  if (save.isSuccess) {
    return (
      <Text size="sm" role="status">
        <Trans>
          It is imported every day, by cron group{' '}
          <TextLink inherit to="/cron/$group" params={{ group: name }}>
            {name}
          </TextLink>
          .
        </Trans>
      </Text>
    );
  }
  return (
    <>
      <Group gap="sm">
        <Button variant="default" loading={save.isPending} onClick={() => save.mutate({ settings })}>
          <Trans>Yes, every day</Trans>
        </Button>
        <TextLink size="sm" to="/cron/new" search={{ account }}>
          <Trans>Another schedule</Trans>
        </TextLink>
      </Group>
      {save.isError && <Problem error={save.error} />}
    </>
  );
}
