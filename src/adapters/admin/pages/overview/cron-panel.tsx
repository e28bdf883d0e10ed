import { Text } from '@mantine/core';
import { nextRunOf, stateOf } from '../../../../app/runs/cron/words.ts';
import { useAnswer } from '../calls/use-call.ts';
import { type CronGroup, isBusy, StateBadge } from '../cron/group-state.tsx';
import { Answer } from '../parts/answer.tsx';
import { TextLink } from '../parts/links.tsx';
import { When } from '../parts/when.tsx';
import { Lines, OverviewPanel } from './overview-panel.tsx';

/** Groups that failed or run now, and which one is next. */
export function CronPanel() {
  const answer = useAnswer('cron/list-groups', {}, { everySeconds: (data) => (data?.groups.some(isBusy) ? 2 : 15) });
  const groups = answer.data?.groups;
  return (
    <OverviewPanel
      title={
        <TextLink inherit to="/cron">
          Cron groups
        </TextLink>
      }
      problems={groups?.length === 0 ? undefined : groups?.filter(isWrong).length}
    >
      <Answer of={answer}>
        {(data) => (
          <>
            <Lines
              more={
                <TextLink inherit to="/cron">
                  all groups
                </TextLink>
              }
              lines={data.groups
                .filter((group) => isWrong(group) || isBusy(group))
                .sort((a, b) => Number(isWrong(b)) - Number(isWrong(a)))
                .map((group) => ({
                  key: group.name,
                  name: (
                    <>
                      <TextLink inherit to="/cron/$group" params={{ group: group.name }}>
                        {group.name}
                      </TextLink>{' '}
                      <StateBadge group={group} />
                    </>
                  ),
                  text: isWrong(group) ? group.last_message : '',
                }))}
            />
            <Text size="sm" mt={4}>
              <Next groups={data.groups} />
            </Text>
          </>
        )}
      </Answer>
    </OverviewPanel>
  );
}

function isWrong(group: CronGroup): boolean {
  return group.enabled && group.has_error && stateOf(group) !== 'running';
}

function Next({ groups }: { readonly groups: readonly CronGroup[] }) {
  const [next] = groups
    .flatMap((group) => {
      const run = nextRunOf(group);
      return 'at' in run && !group.is_running ? [{ name: group.name, at: run.at }] : [];
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  if (groups.length === 0) {
    return (
      <Text span inherit c="dimmed">
        There are none that you may see; without them nothing is imported by itself.
      </Text>
    );
  }
  const enabled = groups.filter((group) => group.enabled).length;
  return (
    <>
      {enabled} of {groups.length} enabled
      {next !== undefined && (
        <>
          ; next is {next.name}, <When at={next.at} />
        </>
      )}
      .
    </>
  );
}
