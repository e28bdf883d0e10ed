import { Text } from '@mantine/core';
import { counted } from '../../../../app/words/amounts.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { TextLink } from '../parts/links.tsx';
import { Lines, OverviewPanel } from './overview-panel.tsx';

/** Rules that go wrong on hosts. Finding that out evaluates all hosts, so it is not asked often. */
export function RulesPanel() {
  const answer = useAnswer('rules/rule-failures', { every_project: true }, { everySeconds: 600, freshSeconds: 300 });
  return (
    <OverviewPanel
      title={
        <TextLink inherit to="/rules">
          Rules
        </TextLink>
      }
      problems={answer.data?.hosts === 0 ? undefined : answer.data?.failures.length}
    >
      <Answer of={answer}>
        {({ failures, hosts }) => (
          <>
            <Lines
              more={
                <TextLink inherit to="/rules">
                  all rules
                </TextLink>
              }
              lines={failures.map((failure) => ({
                key: `${failure.type} ${failure.id}`,
                name: (
                  <TextLink inherit to="/rules/$type/$id" params={{ type: failure.type, id: failure.id }}>
                    {failure.name}
                  </TextLink>
                ),
                text: `${failure.last_error} (${counted(failure.errors, 'time')}, last on ${failure.last_hostname})`,
              }))}
            />
            {failures.length === 0 && (
              <Text size="sm" c={hosts === 0 ? 'dimmed' : 'inherit'}>
                {hosts === 0
                  ? 'There are no hosts to evaluate yet.'
                  : `All rules evaluated without errors (${counted(hosts, 'host')}, all projects).`}
              </Text>
            )}
          </>
        )}
      </Answer>
    </OverviewPanel>
  );
}
