import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';
import { has, may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import type { CronGroup } from '../cron/group-state.tsx';
import { NEXT_RUN_WORDS, nextStart } from '../cron/schedule-words.ts';
import { Fact } from '../parts/facts.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { When } from '../parts/when.tsx';

interface ScheduleProps {
  readonly account: string;
  readonly command: 'Import' | 'Export';
  /** Its file was uploaded, and changes only by another upload. */
  readonly isUploaded: boolean;
}

/** The cron groups with a job of the account, and when each runs next; a new one begins with such a job. */
export function Schedule({ account, command, isUploaded }: ScheduleProps) {
  const session = useSession();
  const mayList = has(session, 'cron/list-groups');
  const groups = useAnswer('cron/list-groups', {}, { enabled: mayList }).data?.groups;
  if (groups === undefined) return null;
  const own = groups.filter(({ accounts }) => accounts.includes(account));
  return (
    <Fact label={t`Schedule`}>
      {own.map((group) => (
        <Text key={group.name} inherit component="div">
          <TextLink inherit to="/cron/$group" params={{ group: group.name }}>
            {group.name}
          </TextLink>
          {': '}
          <NextStart of={group} />
        </Text>
      ))}
      {own.length === 0 && (
        <Group gap="xs">
          <span>{isUploaded ? t`none: an uploaded file changes only when it is replaced` : t`none`}</span>
          {!isUploaded && may(session, 'cron/save-group') && (
            <ButtonLink size="compact-xs" variant="default" to="/cron/new" search={{ account, command }}>
              <Trans>Schedule…</Trans>
            </ButtonLink>
          )}
        </Group>
      )}
    </Fact>
  );
}

function NextStart({ of: group }: { readonly of: CronGroup }) {
  const next = nextStart(group);
  return 'at' in next ? <When at={next.at} /> : NEXT_RUN_WORDS[next.words];
}
